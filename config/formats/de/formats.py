"""Formats of dates and times: see config/formats/en."""

DATE_FORMAT = "d.m.Y"
DATETIME_FORMAT = "d.m.Y H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "j. M"
DAY_FORMAT = "j. M Y"
LONG_DAY_FORMAT = "j. F Y"
DAY_TIME_FORMAT = "j. M Y, H:i"
SHORT_DAY_TIME_FORMAT = "j. M, H:i"
WEEKDAY_TIME_FORMAT = "D, j. M, H:i"
