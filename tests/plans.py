"""How the database reads what is asked."""

from django.db import connection


def plan(sql: str) -> str:
    """The steps of the database's plan for a query whose values are in it, one a line."""
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())
