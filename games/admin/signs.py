"""The list of signs for moderators to check, oldest first."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.admin.review import OpenFilter, ReviewAdmin, View
from games.messages import render
from games.messages.names import isolate_name
from games.models import Sign
from games.review.signs import MEANINGS, dismiss_sign


class UnseenFilter(OpenFilter):
    field = "seen_at"


@admin.register(Sign)
class SignAdmin(ReviewAdmin):
    list_display = ("at", "about", "kind", "seen", "looked")
    list_filter = (UnseenFilter, "kind")
    list_select_related = ("match", "player", "seen_by")
    sortable_by = ()

    @admin.display(description=_("about"))
    def about(self, sign: Sign) -> SafeString:
        return format_html(gettext("<bdi>{}</bdi> in {}"), sign.player, sign.match)

    @admin.display(description=_("observation and possible meaning"))
    def seen(self, sign: Sign) -> str:
        return f"{sign.sentence} {render(MEANINGS[Sign.Kind(sign.kind)])}"

    @admin.display(description=_("reviewed by"))
    def looked(self, sign: Sign) -> SafeString:
        return format_html("<bdi>{}</bdi>", sign.seen_by or gettext("nobody"))

    def pages(self) -> list[tuple[str, str, View]]:
        return [("<int:sign_id>/set-aside/", "set_aside", require_POST(self.set_aside))]

    def shown(self, request: HttpRequest, sign: Sign) -> dict[str, Any]:
        return {
            "title": f"{sign.get_kind_display()}: {isolate_name(str(sign.player))}",
            "sign": sign,
            "meaning": render(MEANINGS[Sign.Kind(sign.kind)]),
            "may_handle": request.user.has_perm("games.handle"),
        }

    def set_aside(self, request: HttpRequest, sign_id: int) -> HttpResponse:
        """Mark the sign as seen."""
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied
        self.attempt(request, lambda: dismiss_sign(sign_id, request.user))
        return redirect("admin:games_sign_changelist")
