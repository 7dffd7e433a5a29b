"""The queue of events between a connection and its application."""

import asyncio

from config.server.websocket import Inbox


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
