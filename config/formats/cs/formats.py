"""Formats of dates and times: see config/formats/en."""

DATE_FORMAT = "j. n. Y"
DATETIME_FORMAT = "j. n. Y H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "j. n."
DAY_FORMAT = "j. n. Y"
LONG_DAY_FORMAT = "j. E Y"
DAY_TIME_FORMAT = "j. n. Y H:i"
SHORT_DAY_TIME_FORMAT = "j. n. H:i"
WEEKDAY_TIME_FORMAT = "D j. n. H:i"
