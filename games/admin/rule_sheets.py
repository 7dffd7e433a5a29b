"""The admin pages of rule sheets: checking, previewing and adding a game, and switching it off."""

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminErrorList, AdminForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.boards import BOARDS, Board
from games.boards.drawing import draw
from games.gdl.errors import SheetError
from games.gdl.overlay import LONGEST_OVERLAY
from games.gdl.reader import LONGEST_TEXT
from games.models import StoredSheet
from games.rule_sheets.preparing import (
    LONGEST_NAME,
    PreparedSheet,
    build_slug,
    pick_positions,
    prepare_new_sheet,
)
from games.rule_sheets.storage import change_access, must_have_room, store_sheet
from games.rules import GAMES, Access, Game

_TEMPLATE = "admin/games/rule_sheet.html"


class NewSheetForm(forms.ModelForm):
    """A new sheet. A valid form has checked and compiled it, but stored nothing."""

    title = forms.CharField(
        label=_("Name of the game"),
        max_length=LONGEST_NAME,
        help_text=_("Its address is made of this name, and neither can be changed later."),
    )
    sheet_file = forms.FileField(label=_("Rule sheet (file)"), required=False)
    sheet = forms.CharField(
        label=_("Rule sheet (text)"),
        required=False,
        strip=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
    )
    overlay_file = forms.FileField(label=_("Overlay (file)"), required=False)
    overlay = forms.CharField(
        label=_("Overlay (text)"),
        required=False,
        strip=False,
        max_length=LONGEST_OVERLAY,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_(
            "JSON that says how the board looks. Without it, the site finds a board itself."
        ),
    )
    prepared: PreparedSheet | None = None

    class Meta:
        model = StoredSheet
        fields = ("access",)
        widgets = {"access": forms.RadioSelect}

    field_order = ("title", "sheet_file", "sheet", "overlay_file", "overlay", "access")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return data
        texts = {}
        for name in ("sheet", "overlay"):
            file = data[f"{name}_file"]
            if file is not None and file.size > LONGEST_TEXT:
                self.add_error(f"{name}_file", gettext("This file is too large."))
                return data
            # Browsers send the lines of a text field with CRLF.
            texts[name] = file.read() if file else data[name].replace("\r\n", "\n").encode()
        if not texts["sheet"].strip():
            self.add_error("sheet", gettext("Choose a file, or paste the text of a sheet."))
            return data
        try:
            overlay = _add_title(texts["overlay"], data["title"])
            must_have_room(build_slug(data["title"]))
            self.prepared = prepare_new_sheet(texts["sheet"], overlay, build_slug(data["title"]))
        except SheetError as error:
            self.add_error(None, f"{error}.")
        return data


@admin.register(StoredSheet)
class StoredSheetAdmin(admin.ModelAdmin):
    list_display = ("slug", "access", "added_at")
    list_filter = ("access",)
    readonly_fields = ("slug", "digest", "added_at", "sheet", "overlay")
    radio_fields = {"access": admin.VERTICAL}  # declared so by Django
    add_form_template = change_form_template = _TEMPLATE

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # the matches of a game need its rules

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        return super().get_form(request, obj, change, **kwargs) if obj else NewSheetForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("access", *self.readonly_fields) if obj else NewSheetForm.field_order

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.readonly_fields if obj else ()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        more = dict(extra_context or {})
        if object_id is not None:
            more["show_save_and_add_another"] = False
            if object_id in GAMES:
                more["pictures"] = _draw_positions(BOARDS[object_id], GAMES[object_id])
        elif request.method == "POST" and "_preview" in request.POST:
            if not self.has_add_permission(request):
                raise PermissionDenied
            return self._preview(request, more)
        try:
            return super().changeform_view(request, object_id, form_url, more)
        except SheetError as error:  # somebody added another game since the form was checked
            self.message_user(request, f"{error}.", messages.ERROR)
            return redirect(request.path)

    def _preview(self, request: HttpRequest, more: dict[str, Any]) -> HttpResponse:
        """Show the form again, with what it would add, or with its errors."""
        form = NewSheetForm(request.POST, request.FILES)
        if form.is_valid() and form.prepared is not None:
            prepared = form.prepared
            texts = {"sheet": prepared.text.decode(), "overlay": prepared.overlay.decode()}
            form = NewSheetForm(initial={**request.POST.dict(), **texts})
            game = prepared.loaded.game
            more |= {
                "preview": True,
                "roles": game.roles,
                "actions": game.start.legal()[:8],
                "pictures": _draw_positions(prepared.board, game),
            }
        shown = AdminForm(
            form, [(None, {"fields": list(NewSheetForm.field_order)})], {}, (), model_admin=self
        )
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Add a game"),
            "adminform": shown,
            "errors": AdminErrorList(form, []),
            "media": self.media + shown.media,
            "inline_admin_formsets": [],
            **more,
        }
        return self.render_change_form(request, context, add=True)

    def save_model(self, request: HttpRequest, obj: StoredSheet, form: Any, change: bool) -> None:
        if change:
            change_access(obj.pk, Access(form.cleaned_data["access"]))
            return
        stored = store_sheet(form.prepared, Access(form.cleaned_data["access"]))
        obj.__dict__.update(stored.__dict__)


def _add_title(overlay: bytes, title: str) -> bytes:
    """Return the overlay with the title. Raise `SheetError` if it is not an object of JSON."""
    try:
        found = json.loads(overlay) if overlay.strip() else {}
        if not isinstance(found, dict):
            raise ValueError
    except (ValueError, RecursionError):
        raise SheetError("the overlay is not an object in JSON") from None
    return json.dumps({**found, "title": title}, indent=2, ensure_ascii=False).encode()


def _draw_positions(board: Board, game: Game) -> list[SafeString]:
    """Draw the start, the middle and the end of a random game."""
    return [
        SafeString(  # nosec B703  # `draw` escapes whatever it is given
            draw(board, each.diagram, line=each.line, sparse=True, label=game.name)
        )
        for each in pick_positions(game)
    ]
