"""People and their seeks in the admin."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from games.admin.review import ReadOnly
from lobby.models import Player, Seek


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
