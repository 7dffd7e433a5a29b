"""The database tables of this app."""

from games.models.analysis import Analysis, Caller, PositionLook
from games.models.match import Event, Match, Move
from games.models.operation import FailureCount, LastBackup, ProcessBeat
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
from games.models.review import (
    Assignment,
    BulkAction,
    Case,
    Decision,
    MergedEntry,
    Note,
    Notice,
    Report,
    Sign,
    SignSearch,
)
from games.models.stored_sheet import StoredSheet

__all__ = [
    "Analysis",
    "Assignment",
    "Attendance",
    "BulkAction",
    "Caller",
    "Case",
    "ClientNetwork",
    "Connection",
    "Decision",
    "Event",
    "FailureCount",
    "FormerLogEntry",
    "FormerLogHead",
    "FormerLogNode",
    "LastBackup",
    "LogEntry",
    "LogHead",
    "LogNode",
    "LogWish",
    "Match",
    "MergedEntry",
    "Move",
    "Note",
    "Notice",
    "Outage",
    "PositionLook",
    "ProcessBeat",
    "Pulse",
    "Report",
    "Sign",
    "SignSearch",
    "SigningKey",
    "StoredSheet",
    "Watch",
    "WriteProbe",
]
