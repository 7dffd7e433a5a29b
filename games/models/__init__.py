"""The database tables. Only `games.journal` writes matches and moves."""

from games.models.analysis import Analysis
from games.models.calling import Caller
from games.models.event import Event
from games.models.handling import Assignment, Note
from games.models.match import Match, Move
from games.models.notice import Notice
from games.models.position_look import PositionLook
from games.models.presence import (
    Attendance,
    ClientNetwork,
    Connection,
    Outage,
    Pulse,
    Watch,
    WriteProbe,
)
from games.models.record_log import (
    FormerLogEntry,
    FormerLogHead,
    FormerLogNode,
    LogEntry,
    LogHead,
    LogNode,
    LogWish,
    SigningKey,
)
from games.models.review import Case, Decision, Report, Sign
from games.models.sign_search import SignSearch

__all__ = [
    "Analysis",
    "Assignment",
    "Attendance",
    "Caller",
    "Case",
    "ClientNetwork",
    "Connection",
    "Decision",
    "Event",
    "FormerLogEntry",
    "FormerLogHead",
    "FormerLogNode",
    "LogEntry",
    "LogHead",
    "LogNode",
    "LogWish",
    "Match",
    "Move",
    "Note",
    "Notice",
    "Outage",
    "PositionLook",
    "Pulse",
    "Report",
    "Sign",
    "SignSearch",
    "SigningKey",
    "Watch",
    "WriteProbe",
]
