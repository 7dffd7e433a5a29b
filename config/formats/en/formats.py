"""Formats of dates and times for templates that name no format, mainly the admin's lists."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i"
TIME_FORMAT = "H:i"
