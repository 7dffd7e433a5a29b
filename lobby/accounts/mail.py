"""Mail leaves by a thread of its own: a page does not wait for the mail server, and how long it
takes does not tell whether there was anything to send."""

import atexit
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

log = structlog.get_logger(__name__)

_TRIES = (0.0, 2.0, 10.0)  # seconds to wait before each
_MOST = 200  # mails that wait; more are dropped, and that is logged
_room = BoundedSemaphore(_MOST)
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")
atexit.register(_thread.shutdown, wait=True, cancel_futures=False)


class QueuedEmailBackend(BaseEmailBackend):
    """Sends by the server of EMAIL_URL, soon. What cannot be sent is logged, but no address."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        taken = 0
        for message in email_messages:
            if _room.acquire(blocking=False):
                _thread.submit(_send, message)
                taken += 1
            else:
                log.error("mail dropped", waiting=_MOST)
        return taken


def _send(message: EmailMessage) -> None:
    try:
        for wait in _TRIES:
            time.sleep(wait)
            try:
                EmailBackend(timeout=settings.EMAIL_TIMEOUT).send_messages([message])
                return
            except OSError as error:  # SMTP's errors are such too
                log.warning("mail not sent", error=error.__class__.__name__)
        log.error("mail given up")
    except Exception:
        log.exception("mail failed")
    finally:
        _room.release()


def flush() -> None:
    """Wait until what was to be sent has left."""
    _thread.submit(lambda: None).result()
