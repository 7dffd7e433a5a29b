"""Admin pages for players, seeks, groups and tournaments, and for decisions about accounts.

These decisions are changes to protection, erasures, removals of second factors, and answers to
appeals.
"""

from http import HTTPStatus
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.admin.review import OpenFilter, ReadOnly
from games.messages import render
from games.messages.refusal import Refused
from lobby.accounts import appeals
from lobby.accounts.audit_events import log_event
from lobby.accounts.erasure import (
    erase_player,
    find_erasable,
    must_be_erasable,
    restore_players,
)
from lobby.accounts.names import find_account
from lobby.accounts.second_factors import (
    confirm_factor_reset,
    is_reset_open,
    is_senior,
    request_factor_reset,
)
from lobby.accounts.sessions import end_other_sessions
from lobby.accounts.tokens import revoke_all_tokens
from lobby.groups import membership
from lobby.groups.membership import may_organise
from lobby.models import (
    Appeal,
    Erasure,
    FactorReset,
    Group,
    Player,
    ProtectionChange,
    Seek,
    Tournament,
)
from lobby.privacy.protection import lift_protection, lock_for_protection, protect_players
from lobby.tournaments import organiser_actions
from lobby.tournaments.draft import must_be_able_to_run

# Staff do not need to see or edit these rows. Their owners manage them on the account pages.
admin.site.unregister([Authenticator, EmailAddress, UserSession])


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    list_display = (
        *("username", "is_guest", "is_protected", "is_staff", "is_active"),
        "date_joined",
    )
    list_filter = ("is_guest", "is_protected", "is_staff", "is_active")
    search_fields = ("username", "email")
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_guest", "is_protected")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    readonly_fields = ("is_protected",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the fields that cannot be edited.

        For a hidden or deleted account, these include the name and the status, because only undoing
        its erasure can restore them.
        """
        is_closed = obj is not None and obj.closed_at is not None
        return (*self.readonly_fields, *(("username", "is_active") if is_closed else ()))

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002  # Django's name
        form_url: str = "",
    ) -> HttpResponse:
        """Set a new password, end the account's sessions, and revoke its tokens.

        The session of the request continues.
        """
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
            account = get_object_or_404(Player, pk=id)
            end_other_sessions(request, account)
            revoke_all_tokens(account)
        return answer


@admin.register(Seek)
class SeekAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "player", "game", "clock", "by_address", "match", "created_at")
    list_filter = ("game", "by_address")
    show_full_result_count = False


class _GroupOrganiserForm(forms.ModelForm):
    """The form of a group. The organiser must be allowed to organise groups."""

    def clean_organiser(self) -> Player | None:
        found: Player | None = self.cleaned_data["organiser"]
        if found is not None and not may_organise(found):
            raise forms.ValidationError("Put them into Django's group “organiser” first.")
        return found


@admin.register(Group)
class GroupAdmin(admin.ModelAdmin):
    """Classes and clubs. Staff with the permission can rename them and change the organiser."""

    form = _GroupOrganiserForm
    list_display = ("name", "organiser", "for_minors", "members_now", "made_at")
    list_filter = ("for_minors",)
    list_select_related = ("organiser",)
    search_fields = ("name", "organiser__username")
    show_full_result_count = False
    list_per_page = 50
    fields = ("name", "organiser", "for_minors", "members_now", "made_at")
    readonly_fields = ("for_minors", "members_now", "made_at")
    raw_id_fields = ("organiser",)
    actions = None

    @admin.display(description="Members")
    def members_now(self, group: Group) -> int:
        return group.members.count()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.organiser is not None:
            membership.add_organiser(obj, obj.organiser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _TournamentOrganiserForm(forms.ModelForm):
    """The form of a tournament. The organiser must be able to run it."""

    def clean_organiser(self) -> Player | None:
        found: Player | None = self.cleaned_data["organiser"]
        if found is not None:
            try:
                must_be_able_to_run(found, self.instance.group_id)
            except Refused:
                raise forms.ValidationError(
                    "This account cannot run the tournament. The organiser of a group's tournament "
                    "must also run the group."
                ) from None
        return found


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):
    """All tournaments. Staff can only change the organiser here."""

    form = _TournamentOrganiserForm
    list_display = ("name", "kind", "game", "organiser", "state", "starts_at", "group")
    list_filter = ("state", "kind")
    list_select_related = ("organiser", "group")
    search_fields = ("name", "organiser__username")
    date_hierarchy = "starts_at"
    show_full_result_count = False
    list_per_page = 50
    fields = ("name", "organiser", "kind", "game", "state", "group", "series", "starts_at")
    readonly_fields = ("name", "kind", "game", "state", "group", "series", "starts_at")
    raw_id_fields = ("organiser",)
    actions = None

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Change the organiser if one is chosen. No other field is stored."""
        assert isinstance(request.user, Player)
        if obj.organiser is not None:
            organiser_actions.transfer_tournament(request.user, obj.pk, obj.organiser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class _FactorResetForm(forms.ModelForm):
    """A request to remove an account's second factors."""

    name = forms.CharField(max_length=100, help_text="The name of the account.")

    class Meta:
        model = FactorReset
        fields = ("name", "reason")

    def clean_name(self) -> Player:
        found = find_account(self.cleaned_data["name"])
        if found is None:
            raise forms.ValidationError("There is no such account.")
        return found


class _ProtectionForm(forms.ModelForm):
    """The form to protect a player or to lift the protection, with the reason."""

    name = forms.CharField(max_length=100, help_text="The name of the account.")
    confirmed = forms.BooleanField(
        label="I have checked this",
        help_text="Without protection, anybody can play with them and see their name and games.",
    )

    class Meta:
        model = ProtectionChange
        fields = ("name", "is_protected", "reason", "confirmed")
        labels: ClassVar = {"is_protected": "Protected from now on"}

    def clean_name(self) -> Player:
        found = find_account(self.cleaned_data["name"])
        if found is None:
            raise forms.ValidationError("There is no such account.")
        return found

    def clean_reason(self) -> str:
        if not self.cleaned_data["reason"].strip():
            raise forms.ValidationError("Please give a reason.")
        return str(self.cleaned_data["reason"])

    def clean(self) -> dict[str, Any]:
        asked: dict[str, Any] = super().clean() or self.cleaned_data
        player = asked.get("name")
        if player is not None and player.is_protected == asked["is_protected"]:
            state = "protected" if player.is_protected else "not protected"
            raise forms.ValidationError(f"{player.name} is {state} already.")
        return asked


@admin.register(ProtectionChange)
class ProtectionChangeAdmin(ReadOnly, admin.ModelAdmin):
    """The log of changes to protection. Adding a row changes the player's protection."""

    form = _ProtectionForm
    list_display = ("at", "player", "is_protected", "by", "reason")
    list_filter = ("is_protected",)
    list_select_related = ("player", "by")
    list_display_links = None
    search_fields = ("player__username",)
    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("lobby.change_protection")

    def save_model(
        self, request: HttpRequest, obj: ProtectionChange, form: Any, change: bool
    ) -> None:
        """Protect the player or lift the protection.

        `protect_players` and `lift_protection` also store the row.
        """
        assert isinstance(request.user, Player)
        player, reason = form.cleaned_data["name"], form.cleaned_data["reason"]
        if obj.is_protected:
            with transaction.atomic():
                lock_for_protection([player.pk])
                protect_players([player.pk], request.user, reason)
        else:
            lift_protection(player, request.user, reason)
        made = ProtectionChange.objects.filter(player=player).first()
        obj.__dict__.update(made.__dict__ if made else {})
        what = "protection begun" if obj.is_protected else "protection lifted"
        log_event(what, request, player.pk, by=request.user.pk)


class _ErasureForm(forms.ModelForm):
    """The form to erase or anonymise an account, with the reason."""

    account = forms.CharField(
        label="Name", max_length=100, help_text="The name of the account or guest."
    )
    confirmed = forms.BooleanField(
        label="I have checked this",
        help_text="The account is hidden and closed to log-in at once. Its data is deleted after "
        f"{settings.ACCOUNT_CLOSING_DAYS} days, unless you undo this. Its games are kept under "
        "“Deleted player”.",
    )

    class Meta:
        model = Erasure
        fields = ("account", "kind", "reason", "confirmed")
        help_texts: ClassVar = {"reason": "Do not write the name here: this text is kept."}

    def clean_account(self) -> Player:
        found = find_erasable(self.cleaned_data["account"])
        if found is None:
            raise forms.ValidationError("There is no such account.")
        try:
            must_be_erasable(found)
        except Refused as refusal:
            raise forms.ValidationError(render(refusal.words)) from None
        return found

    def clean_reason(self) -> str:
        if not self.cleaned_data["reason"].strip():
            raise forms.ValidationError("Please give a reason.")
        return str(self.cleaned_data["reason"])


class _DeletedFilter(OpenFilter):
    title = _("deleted")
    parameter_name = "deleted"
    field = "done_at"


@admin.register(Erasure)
class ErasureAdmin(ReadOnly, admin.ModelAdmin):
    """Accounts that have been or will be erased or anonymised.

    Adding a row hides the account. It can be restored for `ACCOUNT_CLOSING_DAYS`.
    """

    form = _ErasureForm
    list_display = ("asked_at", "name", "kind", "by", "reason", "todo")
    list_filter = (_DeletedFilter, "kind")
    list_select_related = ("player", "by")
    list_display_links = None
    show_full_result_count = False
    list_per_page = 50
    actions = None

    def get_urls(self) -> list[Any]:
        own = path("<int:pk>/undo/", self.admin_site.admin_view(self.undo), name="erasure_undo")
        return [own, *super().get_urls()]

    @admin.display(description="To do")
    def todo(self, found: Erasure) -> str:
        if found.done_at is not None:
            return f"deleted {found.done_at:%Y-%m-%d %H:%M}"
        if found.group_id is not None:
            return "its organiser can undo it with the class"
        return format_html(
            'until {}: <button formaction="{}" formmethod="post" form="changelist-form">'
            "Undo</button>",
            f"{found.due_at:%Y-%m-%d %H:%M}",
            reverse("admin:erasure_undo", args=[found.pk]),
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("lobby.erase_player")

    def save_model(self, request: HttpRequest, obj: Erasure, form: Any, change: bool) -> None:
        assert isinstance(request.user, Player)
        player, reason = form.cleaned_data["account"], form.cleaned_data["reason"]
        made = erase_player(player.pk, obj.kind, request.user, reason)
        obj.__dict__.update(made.__dict__)
        log_event("account hidden", request, player.pk, by=request.user.pk, kind=obj.kind)

    def undo(self, request: HttpRequest, pk: int) -> HttpResponse:
        return _undo_erasure(request, pk)


@require_POST
def _undo_erasure(request: HttpRequest, pk: int) -> HttpResponse:
    if not request.user.has_perm("lobby.erase_player"):
        raise PermissionDenied
    found = get_object_or_404(Erasure, pk=pk, group=None)
    try:
        restore_players([found.player_id])
    except Refused as refusal:
        messages.error(request, render(refusal.words))
    else:
        log_event("account restored", request, found.player_id, by=request.user.pk)
        messages.success(request, f"{found.name} is back.")
    return redirect("admin:lobby_erasure_changelist")


@admin.register(FactorReset)
class FactorResetAdmin(admin.ModelAdmin):
    """Requests to remove second factors.

    One senior staff member requests the removal, and another one confirms it.
    """

    form = _FactorResetForm
    list_display = ("account", "reason", "asked_by", "asked_at", "confirmed_by", "todo")
    list_select_related = ("account", "asked_by", "confirmed_by")
    list_display_links = None
    show_full_result_count = False
    list_per_page = 50
    actions = None

    def get_urls(self) -> list[Any]:
        own = path(
            "<int:pk>/confirm/", self.admin_site.admin_view(self.confirm), name="factor_confirm"
        )
        return [own, *super().get_urls()]

    @admin.display(description="To do")
    def todo(self, asked: FactorReset) -> str:
        if not is_reset_open(asked):
            return "done" if asked.confirmed_by_id else "lapsed"
        return format_html(
            '<button formaction="{}" formmethod="post" form="changelist-form">Confirm</button>',
            reverse("admin:factor_confirm", args=[asked.pk]),
        )

    def confirm(self, request: HttpRequest, pk: int) -> HttpResponse:
        return _confirm(request, pk)

    def save_model(self, request: HttpRequest, obj: FactorReset, form: Any, change: bool) -> None:
        assert isinstance(request.user, Player)
        made = request_factor_reset(
            request.user, form.cleaned_data["name"], form.cleaned_data["reason"]
        )
        obj.__dict__.update(made.__dict__)
        log_event("factor reset asked", request, made.account_id, by=request.user.pk)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return isinstance(request.user, Player) and is_senior(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@require_POST
def _confirm(request: HttpRequest, pk: int) -> HttpResponse:
    assert isinstance(request.user, Player)
    asked = get_object_or_404(FactorReset, pk=pk)
    try:
        confirm_factor_reset(request.user, asked)
    except Refused:
        messages.error(request, "It takes another senior member of staff, within a day.")
    else:
        log_event("factor reset confirmed", request, asked.account_id, by=request.user.pk)
        messages.success(request, f"{asked.account} logs in without a second factor, once.")
    return redirect("admin:lobby_factorreset_changelist")


class _AnsweredFilter(OpenFilter):
    title = _("answered")
    parameter_name = "answered"
    field = "answered_at"


@admin.register(Appeal)
class AppealAdmin(admin.ModelAdmin):
    """Appeals by suspended players, each answered once."""

    list_display = ("at", "player", "answered_at", "answered_by")
    list_filter = (_AnsweredFilter,)
    list_select_related = ("player", "answered_by")
    show_full_result_count = False
    fields = ("reviewed", "decision", "words", "at", "answer", "answered", "answered_at")

    @admin.display(description=_("player"))
    def reviewed(self, obj: Appeal) -> str:
        """Return a link to the player's review page, which reviewers may open."""
        address = reverse("admin:review_player", args=[obj.player_id])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', address, obj.player)

    @admin.display(description=_("answered by"))
    def answered(self, obj: Appeal) -> str:
        return str(obj.answered_by or "-")

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
            appeals.answer_appeal(obj.pk, request.user, obj.answer)
        except Refused as refusal:
            messages.error(request, render(refusal.words))

    def message_user(self, request: HttpRequest, *args: Any, **more: Any) -> None:
        """Suppress Django's message, which would contradict a refusal."""
