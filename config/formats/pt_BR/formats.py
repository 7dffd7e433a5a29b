"""Formats of dates and times: see config/formats/en."""

DATE_FORMAT = "d/m/Y"
DATETIME_FORMAT = "d/m/Y H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = r"j \d\e M"
DAY_FORMAT = r"j \d\e M \d\e Y"
LONG_DAY_FORMAT = r"j \d\e F \d\e Y"
DAY_TIME_FORMAT = r"j \d\e M \d\e Y, H:i"
SHORT_DAY_TIME_FORMAT = r"j \d\e M, H:i"
WEEKDAY_TIME_FORMAT = r"D, j \d\e M, H:i"
