"""An e-mail backend that sends from a separate thread.

Pages do not wait for the mail server, and the time that a response takes does not reveal whether an
e-mail was sent.
"""

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

_TRIES = (0.0, 2.0, 10.0)  # seconds to wait before each attempt
_MAX_QUEUED = 200  # further e-mails are dropped, which is logged
_slots = BoundedSemaphore(_MAX_QUEUED)
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")
atexit.register(_thread.shutdown, wait=True, cancel_futures=False)


class QueuedEmailBackend(BaseEmailBackend):
    """A backend that queues e-mails for the server in `EMAIL_URL`.

    Failures are logged without addresses.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        taken = 0
        for message in email_messages:
            if _slots.acquire(blocking=False):
                _thread.submit(_send, message)
                taken += 1
            else:
                log.error("mail dropped", waiting=_MAX_QUEUED)
        return taken


def _send(message: EmailMessage) -> None:
    try:
        for wait in _TRIES:
            time.sleep(wait)
            try:
                EmailBackend(timeout=settings.EMAIL_TIMEOUT).send_messages([message])
                return
            except OSError as error:  # this includes SMTP errors
                log.warning("mail not sent", error=error.__class__.__name__)
        log.error("mail abandoned")
    except Exception:
        log.exception("mail failed")
    finally:
        _slots.release()


def flush() -> None:
    """Wait until all queued e-mails have been sent or abandoned."""
    _thread.submit(lambda: None).result()
