"""The catalog of sentences for the scripts of pages: a script per language, cached by browsers."""

import gettext
import json
from functools import cache
from hashlib import blake2b

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import to_locale
from django.views.decorators.http import require_safe

from games.messages.table import TABLE, Counted, get_stand_ins, translate

_TRIED = range(1000)  # numbers to try, which include one for each plural form of every language
_FOR_EVER = "public, max-age=31536000, immutable"
_ENGLISH_PLURAL = "n != 1"


def address() -> str:
    """Return the address of the active language's catalog.

    The address changes when the catalog does.
    """
    language = translation.get_language() or settings.LANGUAGE_CODE
    return reverse("words", args=[language, _catalog(language)[0]])


@require_safe
def script(request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """Return the catalog of a language.

    A request with an outdated digest gets the current catalog, uncached. Raise `Http404` if the
    site does not have the language.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    found, text = _catalog(language)
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = _FOR_EVER if digest == found else "no-store"
    return response


def forget_catalogs() -> None:
    """Build the catalogs again, because the table of sentences has grown."""
    _catalog.cache_clear()


@cache
def _catalog(language: str) -> tuple[str, str]:
    """Return the digest and the text of a language's catalog."""
    with translation.override(language):
        rule = _plural_rule(language)
        sentences = {
            code: _forms(sentence, rule) if isinstance(sentence, Counted) else translate(sentence)
            for code, sentence in sorted(TABLE.items())
        }
        stand_ins = get_stand_ins()
    counted_by = {
        code: sentence.by
        for code, sentence in sorted(TABLE.items())
        if isinstance(sentence, Counted) and sentence.by != "count"
    }
    text = (
        "globalThis.catalog = {\n"
        f"formOf: (n) => Number({rule}),\n"
        f"countedBy: {json.dumps(counted_by)},\n"
        f"standIns: {json.dumps(stand_ins, ensure_ascii=False)},\n"
        f"sentences: {json.dumps(sentences, ensure_ascii=False, indent=0)}\n"
        "};\n"
    )
    return blake2b(text.encode(), digest_size=6).hexdigest(), text


def _plural_rule(language: str) -> str:
    """Return the expression from the site's catalog that selects a plural form by number.

    Django's own catalogs have other expressions for some languages, with more forms.
    """
    for folder in settings.LOCALE_PATHS:
        catalog = gettext.translation("django", folder, [to_locale(language)], fallback=True)
        rule = catalog.info().get("plural-forms", "").partition("plural=")[2].rstrip(" ;")
        if rule:
            return rule
    return _ENGLISH_PLURAL


def _forms(sentence: Counted, rule: str) -> list[str]:
    """Return the sentence in each of its plural forms."""
    form_of = gettext.c2py(rule)
    found: dict[int, str] = {}
    for number in _TRIED:
        if form_of(number) not in found:
            found[form_of(number)] = translate(sentence, number)
    return [found[form] for form in sorted(found)]
