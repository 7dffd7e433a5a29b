"""Delete old rows as the referee does."""

from django.db.models import Model

from config.retention import rules


def delete_old(model: type[Model]) -> int:
    """Delete one batch of the old rows of a table, and return the number of rows."""
    found = [rule for rule in rules() if rule.rows.model is model]
    assert found, f"no rule deletes {model.__name__}"
    return sum(rule.delete_batch() for rule in found)
