"""People and their seeks in the admin."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from games.admin.review import ReadOnly
from games.words import say
from games.words.refusal import Refused
from lobby.accounts import appeals
from lobby.models import Appeal, Player, Seek


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    list_display = ("username", "is_guest", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    search_fields = ("username", "email")
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_guest")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )


@admin.register(Seek)
class SeekAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "player", "game", "clock", "by_address", "match", "created_at")
    list_filter = ("game", "by_address")
    show_full_result_count = False


@admin.register(Appeal)
class AppealAdmin(admin.ModelAdmin):
    """Appeals of suspended players: read, and answered once."""

    list_display = ("at", "player", "answered_at", "answered_by")
    list_filter = (("answered_at", admin.EmptyFieldListFilter),)
    list_select_related = ("player", "answered_by")
    show_full_result_count = False
    fields = ("player", "decision", "words", "at", "answer", "answered_by", "answered_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_open = obj is None or obj.answered_at is None
        return is_open and super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(field for field in self.fields if field != "answer")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        try:
            assert isinstance(request.user, Player)
            appeals.answer(obj.pk, request.user, obj.answer)
        except Refused as refusal:
            messages.error(request, say(refusal.words))

    def message_user(self, request: HttpRequest, *args: Any, **more: Any) -> None:
        """Only refusals are said: else Django would say that it was changed beside them."""
