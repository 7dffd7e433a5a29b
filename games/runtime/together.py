"""An operation for squashed migrations: an empty database is migrated several times faster."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Together(Operation):
    """Does what these operations do, but renders for each only the models that its own refers to.

    Django renders every model with any relation to the one that changes, which here is nearly all.
    Only for operations that look at no reverse relation: what creates models, and adds or removes
    fields, indexes and constraints, or changes what the database does not store.
    """

    reversible = False

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def deconstruct(self) -> Any:
        return type(self).__name__, [self.operations], {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # rendered once, when it is next asked for
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        state = ProjectState({key: model.clone() for key, model in from_state.models.items()})
        for operation in self.operations:
            name = getattr(operation, "model_name", None) or getattr(operation, "name")  # noqa: B009
            key = (app_label, name.lower())
            before = _with_what_it_refers_to(state, key)
            operation.state_forwards(app_label, state)
            after = _with_what_it_refers_to(state, key)
            operation.database_forwards(app_label, schema_editor, before, after)

    def describe(self) -> str:
        return f"{len(self.operations)} operations together"


def _with_what_it_refers_to(state: ProjectState, key: tuple[str, str]) -> ProjectState:
    """The model and what it refers to, directly or not."""
    found: dict[tuple[str, str], Any] = {}
    waiting = [key]
    while waiting:
        key = waiting.pop()
        if key in found or key not in state.models:
            continue
        found[key] = state.models[key].clone()
        for field in found[key].fields.values():
            if field.is_relation:
                to = field.remote_field.model
                to = to if isinstance(to, str) else to._meta.label
                app, _, name = to.lower().rpartition(".")
                waiting.append((app or key[0], name) if name != "self" else key)
    return ProjectState(found)
