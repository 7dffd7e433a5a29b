"""The database's plans for queries."""

from django.db import connection


def get_query_plan(sql: str) -> str:
    """Return the plan for a query that contains its values, with one step per line."""
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())
