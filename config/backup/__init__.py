"""A copy of the database while the site runs, and the way back from one."""
