"""Formats of dates and times: see config/formats/en."""

DATE_FORMAT = "Y/m/d"
DATETIME_FORMAT = "Y/m/d H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "n月j日"
DAY_FORMAT = "Y年n月j日"
LONG_DAY_FORMAT = "Y年n月j日"
DAY_TIME_FORMAT = "Y年n月j日 H:i"
SHORT_DAY_TIME_FORMAT = "n月j日 H:i"
WEEKDAY_TIME_FORMAT = "n月j日(D) H:i"
