"""Base classes of the review's admin pages."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.messages import render
from games.messages.refusal import Refused
from games.review.lists import BoundedPaginator, build_name_filter

View = Callable[..., HttpResponseBase]


class ReadOnly(admin.options.BaseModelAdmin):
    """A base class of read-only admin pages. `games.journal` and `games.review` change the data."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReviewAdmin(ReadOnly, admin.ModelAdmin):
    """The list of a model's objects and the page of each, with the additional `pages`."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    search_help_text = _("A game's id or a player's name.")
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    # If this is empty, Django shows no search field.
    search_fields: ClassVar[tuple[str, ...]] = ("match_id",)
    search_by: ClassVar[tuple[str, ...]] = ("player",)
    """The fields that refer to players. A search matches the players' names and a match's id."""

    def pages(self) -> list[tuple[str, str, View]]:
        """Return additional pages as (address, name, view), with addresses below the model's."""
        return []

    def get_urls(self) -> list[URLPattern]:
        own: list[URLPattern] = [
            path(where, self.admin_site.admin_view(view), name=f"review_{name}")
            for where, name, view in self.pages()
        ]
        return own + super().get_urls()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        raise Http404("The review's own log is the list of decisions.")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(build_name_filter(search_term, *self.search_by)), False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        self.must_view(request)
        found = self.get_object(request, object_id)
        if found is None:
            raise Http404
        template = f"{self.opts.model_name}/review.html"
        return self.page(request, template, self.shown(request, found))

    def shown(self, request: HttpRequest, found: Any) -> dict[str, Any]:
        """Return the template context of the page about the object `found`."""
        raise NotImplementedError

    def page(
        self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        whole = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, f"admin/games/{template}", whole, status=status)

    def must_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def attempt(self, request: HttpRequest, do: Callable[[], str | None]) -> bool:
        """Call `do`, display its result or the reason for a refusal, and return whether it worked.

        Also return True for a form that was sent twice. Raise `PermissionDenied` if the user has no
        right to do it.
        """
        try:
            done = do()
        except Refused as refusal:
            if refusal.code in {"no-right", "on-staff"}:
                raise PermissionDenied from None
            if refusal.code == "decided-already":  # the form was sent twice
                messages.info(request, render(refusal.words))
                return True
            messages.error(request, render(refusal.words))
            return False
        messages.success(request, done or gettext("Done."))
        return True


class OpenFilter(admin.SimpleListFilter):
    """A filter by whether an item is handled. By default, the list shows the unhandled items."""

    title = _("handled")
    parameter_name = "seen"
    field = "closed_at"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", pgettext("answer", "Yes")), ("all", gettext("All"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "all":
            return queryset
        return queryset.filter(**{f"{self.field}__isnull": self.value() != "yes"})

    def choices(self, changelist: Any) -> Any:
        for value, words in (
            (None, pgettext("answer", "No")),
            ("yes", pgettext("answer", "Yes")),
            ("all", pgettext("filter", "All")),
        ):
            yield {
                "selected": self.value() == value,
                "query_string": changelist.get_query_string({self.parameter_name: value})
                if value
                else changelist.get_query_string(remove=[self.parameter_name]),
                "display": words,
            }
