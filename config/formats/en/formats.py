"""Formats of dates and times. Each language has a module with the same names.

Templates use them by name: `{{ at|date:"DAY_FORMAT" }}`. Django knows the first three, and uses
them where a template names no format, such as in the admin's lists.
"""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i"
TIME_FORMAT = "H:i"

SHORT_DAY_FORMAT = "j M"
DAY_FORMAT = "j M Y"
LONG_DAY_FORMAT = "j F Y"
DAY_TIME_FORMAT = "j M Y, H:i"
SHORT_DAY_TIME_FORMAT = "j M, H:i"
WEEKDAY_TIME_FORMAT = "D j M, H:i"
