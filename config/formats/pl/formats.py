"""Formats of dates and times: see config/formats/en."""

DATE_FORMAT = "d.m.Y"
DATETIME_FORMAT = "d.m.Y H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "j E"
DAY_FORMAT = "j E Y"
LONG_DAY_FORMAT = "j E Y"
DAY_TIME_FORMAT = "j E Y, H:i"
SHORT_DAY_TIME_FORMAT = "j E, H:i"
WEEKDAY_TIME_FORMAT = "D, j E, H:i"
