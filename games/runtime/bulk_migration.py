"""An operation for squashed migrations that migrates an empty database much faster."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from django.db.migrations.operations import AddIndex, CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

ModelKey = tuple[str, str]  # the label of the app, and the name of the model in lower case


class BulkMigration(Operation):
    """An operation that runs other operations, and renders only the models that they refer to.

    Django renders every model with any relation to the changed one, which is nearly every model of
    this site. This class is only correct for operations that use no reverse relations: those that
    create models, add or remove fields, indexes and constraints, or change options that the
    database does not store.
    """

    reversible = False

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def deconstruct(self) -> Any:
        return type(self).__name__, [self.operations], {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # Drop the rendered models, which are rendered again when needed.
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        state = ProjectState({key: model.clone() for key, model in from_state.models.items()})
        before = ProjectState()
        for run in _runs(self.operations):
            keys = [(app_label, _model_of(operation)) for operation in run]
            if not before.models.keys() >= (needed := _with_references(state, keys)):
                before = _copy(state, needed)
            for operation in run:
                operation.state_forwards(app_label, state)
            after = _copy(state, _with_references(state, keys))
            for operation in run:
                operation.database_forwards(app_label, schema_editor, before, after)
            before = after

    def describe(self) -> str:
        return f"{len(self.operations)} operations together"


def _runs(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Group consecutive operations that only create models, or only indexes.

    Operations in a group are independent of each other. Every other operation is a group of its
    own.
    """
    for kind, run in groupby(operations, type):
        if kind in (CreateModel, AddIndex):
            yield list(run)
        else:
            yield from ([operation] for operation in run)


def _model_of(operation: Any) -> str:
    name: str = getattr(operation, "model_name", None) or operation.name
    return name.lower()


def _with_references(state: ProjectState, keys: Iterable[ModelKey]) -> set[ModelKey]:
    """Return the keys of these models and of the models that they refer to, also indirectly."""
    found: set[ModelKey] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key in found or key not in state.models:
            continue
        found.add(key)
        for field in state.models[key].fields.values():
            if field.is_relation:
                to = field.remote_field.model
                to = to if isinstance(to, str) else to._meta.label
                app, _, name = to.lower().rpartition(".")
                waiting.append((app or key[0], name) if name != "self" else key)
    return found


def _copy(state: ProjectState, keys: Iterable[ModelKey]) -> ProjectState:
    """Return a state with copies of these models only."""
    return ProjectState({key: state.models[key].clone() for key in keys})
