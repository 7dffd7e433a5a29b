"""Matches in the admin: to look at, never to edit."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Match, Move


class ReadOnly(admin.options.BaseModelAdmin):
    """What was played is looked at; only the journal writes it."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MoveInline(ReadOnly, admin.TabularInline):
    model = Move
    fields = ("ply", "role", "action", "at", "spent_ms")
    readonly_fields = fields
    ordering = ("ply",)


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "game", "first", "second", "status", "ended", "ply", "created_at")
    list_filter = ("game", "status", "ended")
    list_select_related = ("first", "second")
    search_fields = ("id", "first__username", "second__username")
    show_full_result_count = False
    inlines = (MoveInline,)
