"""Formats of dates and times: see config/formats/en."""

# The commas in these formats are Arabic ones.

DATE_FORMAT = "Y/m/d"
DATETIME_FORMAT = "Y/m/d H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "j F"
DAY_FORMAT = "j F Y"
LONG_DAY_FORMAT = "j F Y"
DAY_TIME_FORMAT = "j F Y، H:i"
SHORT_DAY_TIME_FORMAT = "j F، H:i"
WEEKDAY_TIME_FORMAT = "D، j F، H:i"
