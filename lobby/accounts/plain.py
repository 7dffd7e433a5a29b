"""How allauth's forms look here."""

from typing import Any


def simplify_fields(form: Any, **labels: Any) -> None:
    """Have labels beside the fields, and nothing written into them."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    for name, label in labels.items():
        if name in form.fields:
            form.fields[name].label = label
