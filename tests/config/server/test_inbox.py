"""The queue of events between a connection and its application."""

import asyncio

from config.server.websocket import Inbox, SocketProtocol


def test_of_who_has_gone_only_the_first_messages_are_still_read() -> None:
    async def read(count: int) -> list[str]:
        inbox = Inbox(asyncio.get_running_loop())
        for number in range(count):
            inbox.put_nowait({"type": "websocket.receive", "text": str(number)})
        inbox.put_nowait({"type": "websocket.disconnect", "code": 1006})
        found = []
        while (event := await inbox.get())["type"] != "websocket.disconnect":
            found.append(event["text"])
        return found

    assert asyncio.run(read(3)) == ["0", "1", "2"]  # a move and the events before it
    assert asyncio.run(read(50)) == ["0", "1", "2", "3", "4"]


def test_a_listener_gets_the_events_in_order_and_may_let_them_wait() -> None:
    async def listen() -> list[str]:
        inbox = Inbox(asyncio.get_running_loop())
        heard: list[str] = []
        is_busy = False

        def hear(event: dict[str, str]) -> bool:
            if not is_busy:
                heard.append(event["text"])
            return not is_busy

        def put(text: str) -> None:
            inbox.put_nowait({"type": "websocket.receive", "text": text})

        put("0")
        inbox.listen(hear)
        put("1")
        is_busy = True
        put("2")
        is_busy = False
        put("3")  # waits behind the second one, although the listener is free
        assert heard == ["0", "1"] and inbox.qsize() == 2
        inbox.resume()
        put("4")
        assert inbox.qsize() == 0
        return heard

    assert asyncio.run(listen()) == ["0", "1", "2", "3", "4"]


def test_a_connection_may_end_before_its_handshake_was_valid() -> None:
    SocketProtocol().onClose(False, 1006, None)
