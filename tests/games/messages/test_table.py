"""The table of sentences: every sentence is used, and every code that is used has a sentence."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings
from django.utils import translation

from games.boards import BOARDS
from games.bots import LEVELS
from games.match.commands import PHRASES
from games.messages import (
    Counted,
    add_sentences,
    build_message,
    get_game_name,
    render,
    render_english,
    show_name,
)
from games.messages.names import check_name, isolate_name
from games.messages.script import address, script
from games.messages.table import TABLE, get_stand_ins
from games.models import Case, Sign
from games.rules import GAMES
from games.store.visibility import DELETED_NAME, HIDDEN_NAME
from games.templatetags.words import say_end
from lobby.accounts.tokens import SCOPES, get_sentence_code
from lobby.models import Pairing, Played, Preferences, Tournament
from lobby.players.history import LENGTHS
from lobby.seeks.challenges import WORDS as DECLINES
from lobby.tournaments.pairing.history import SeatReason
from lobby.tournaments.pairing.standings import TIE_BREAKS
from lobby.tournaments.views import HEADS, NEXT
from lobby.views import tournament_director, tournament_forms, tournament_rows, tournaments
from tests.builders.pseudo_language import activate_pseudo_language
from tests.builders.sites import ROOT

TABLES = (
    ROOT / "games/messages/sentences.py",
    ROOT / "games/review/sentences.py",
    ROOT / "lobby/sentences.py",
    ROOT / "lobby/tournaments/sentences.py",
)
CODE = re.compile(r"""["'`]([a-z0-9-]+(?:\.[a-z0-9-]+)+)["'`]""")
REFUSED = re.compile(r'Refused\("([a-z-]+)"')
SIDES = ("won", "lost", "seen")
ASKED = ("mine", "theirs", "now-1", "now-2")  # whom a position asks for something
TOLD = ("full", "-open")  # how a grid or a board ended for everybody


def sources() -> Iterator[Path]:
    """All files that may use a code: Python, templates, scripts."""
    for folder, pattern in (
        ("games", "*.py"), ("lobby", "*.py"), ("config", "*.py"),
        ("templates", "*.html"), ("static/js", "*.js"),
    ):  # fmt: skip
        yield from (path for path in (ROOT / folder).rglob(pattern) if path not in TABLES)


def said() -> set[str]:
    """Every code that is used: as it is written, or put together from parts."""
    kinds = {code.split(".")[0] for code in TABLE}
    found = set()
    for path in sources():
        text = path.read_text()
        found |= {code for code in CODE.findall(text) if code.split(".")[0] in kinds}
        found |= {f"refused.{code}" for code in REFUSED.findall(text)}
    names = ROOT / "games/messages/names.py"
    (faults,) = re.findall(r"faults = \{(.*?)\n    \}", names.read_text(), re.DOTALL)
    found |= {f"refused.name-{code}" for code in re.findall(r'"([a-z-]+)":', faults)}
    found |= {f"phrase.{phrase}" for phrase in PHRASES}
    found |= {f"name.computer.{level}" for level in LEVELS} | {"name.hidden", "name.deleted"}
    found |= {f"level.{level}" for level in LEVELS} | {f"level.line.{level}" for level in LEVELS}
    found |= {f"connection.{code}" for code in (4401, 4403, 4404, 4429)}
    # The ends with a winner, and those without one.
    for end in (
        "rules",
        "score",
        "time",
        "resignation",
        "abandoned",
        "stalled",
        "adjudicated",
        "settled",
    ):
        found |= {f"end.{end}.{side}" for side in SIDES}
    found |= {f"end.{end}" for end in ("rules", "score", "agreement", "abandoned", "stalled")}
    found.add("end.adjudicated")
    commands = (ROOT / "games/match/conduct.py").read_text()
    commands += (ROOT / "games/live/protocol.py").read_text()
    found |= {
        f"do.{name}"
        for name in (
            "resign",
            "abort",
            "berserk",
            "offer-draw",
            "accept-draw",
            "decline-draw",
            "rematch",
        )
        if f'"{name}"' in commands
    }
    found |= {
        f"do.{name}"
        for name in ("claim-abandoned", "claim-stalled", "claim-draw")
        if name in commands
    }
    found |= {f"do.{name}.ask" for name in ("resign", "abort")}
    found |= {f"waiting.{name}" for name in ("search", "invitation", "stop", "withdraw")}
    found |= {f"waiting.{name}-label" for name in ("stop", "withdraw")}
    sure = ("certain", "estimate")
    faults = ("missed", "block", "mistake")
    found |= {f"verdict.{kind}.{basis}" for kind in ("good", *faults) for basis in sure}
    found |= {f"verdict.{kind}" for kind in ("won-less", "winning", "lead", "unclear")}
    found |= {
        f"verdict-label.{kind}" for kind in ("good", *faults, "won-less", "winning", "unclear")
    }
    found |= {f"look.best.{basis}" for basis in sure}
    found |= {"decision.correct", "decision.end", "decision.void", "decision.warn"}
    found |= {"decision.suspend", "decision.new-name"}
    found |= {f"meaning.{kind}" for kind in Sign.Kind.values}
    found |= {f"notice.{kind}" for kind in ("void", "correct", "end")}
    found |= {f"notice.undone.{kind}" for kind in ("warn", "suspend", "rename", "new-name")}
    found |= {f"notice.report-{outcome}" for outcome in Case.Outcome.values}
    found |= {f"decline.{word}" for word in DECLINES} | {
        f"result.{each}" for each in Played.Result.values
    }
    found |= {f"length.{each}" for each in LENGTHS}
    found |= {f"preferences.challenges.{who}" for who in Preferences.Challenges.values}
    found |= set(of_tournaments())
    found |= {get_sentence_code(scope) for scope in SCOPES}
    found.discard("refused.test")
    # in signs that earlier releases stored
    found |= {"said.two", "six-in-a-row.place", "dots-and-boxes.line"}
    found |= {"tic-tac-toe.cell", "parallel-tic-tac-toe.cell"}
    for slug, board in BOARDS.items():
        found.add(f"{slug}.name")
        found |= {f"{slug}.{code}" for code in board.sentences if code.split(".")[-1] in SIDES}
        found |= {f"{slug}.{code}" for code in board.sentences if code.endswith(TOLD)}
        found |= {f"{slug}.{code}" for code in board.sentences if code.endswith(ASKED)}
    return found


def of_tournaments() -> Iterator[str]:
    """The codes that the tournaments' pages put together from parts."""
    yield from (f"tournament-{of}.{kind}" for kind in Tournament.Kind.values
                for of in ("kind", "what", "rule"))  # fmt: skip
    yield from (f"tournament-state.{state}" for state in Tournament.State.values)
    yield from (f"tournament-pace.{pace}" for pace in Tournament.Pace.values)
    yield from (f"tournament-entry.{each}" for each in Tournament.Registration.values)
    yield from (f"tournament-bye.{kind}" for kind in Pairing.Kind.values if kind.endswith("bye"))
    yield from (f"{of}.{code}" for code in TIE_BREAKS for of in ("tie-break", "tie-how"))
    yield from (f"tournament-field.{name.replace('_', '-')}" for name in tournament_forms.FIELDS)
    yield from (f"tournament-hint.{name.replace('_', '-')}" for name in tournament_forms.HINTS)
    for name in tournaments.LISTS:
        yield from (f"tournament-list.{name}", f"tournament-list.no-{name}")
    yield from (f"tournament-do.{name}" for name, *_ in tournament_director.SIMPLE)
    yield from ("tournament-do.late", "tournament-do.invite")
    yield from (f"tournament-next.{code}" for code in NEXT)
    yield from (f"tournament-stage.{name}" for name in tournament_rows.STAGES.values())
    yield from (f"why.seats.{reason}" for reason in get_args(SeatReason))
    yield from (f"standings.{code}" for code in ("players", "now", "final"))
    yield from (f"standings-head.{code}" for code in HEADS)


def has_sentence(code: str) -> bool:
    """Return whether a code has a sentence. A `prompt` has one for each kind of viewer."""
    return code in TABLE or f"{code}.mine" in TABLE or code.endswith((".js", ".py"))


def test_every_code_has_a_sentence() -> None:
    missing = {code for code in said() if not has_sentence(code)}
    assert missing == set()


def test_every_sentence_is_said() -> None:
    assert set(TABLE) - said() == set()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_every_sentence_is_marked_for_translation(path: Path) -> None:
    (table,) = (
        node.value
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
    )
    assert table.keys
    for code, sentence in zip(table.keys, table.values, strict=True):
        assert isinstance(code, ast.Constant)
        assert isinstance(sentence, ast.Call), code.value
        assert isinstance(sentence.func, ast.Name), code.value
        assert sentence.func.id in {"_", "ngettext", "pgettext"}, code.value
        assert all(isinstance(argument, ast.Constant) for argument in sentence.args), code.value


def test_the_forms_of_a_counted_sentence_have_the_same_places() -> None:
    for code, sentence in TABLE.items():
        if isinstance(sentence, Counted):
            places = [set(re.findall(r"\{(\w+)\}", form)) for form in sentence[:2]]
            assert places[0] == places[1], code
            assert sentence.by in places[0], code


def test_parameters_are_filled_in_and_may_be_words_themselves() -> None:
    row = build_message("dots-and-boxes.box", place="B2")
    assert render_english(row) == "box B2"
    assert (
        render_english(build_message("news.theirs", name="Sly Fox", said=row)) == "Sly Fox: box B2."
    )
    assert render_english(build_message("summary.mistakes", count=1)) == "1 mistake"
    assert render_english(build_message("summary.mistakes", count=0)) == "0 mistakes"
    assert render_english(build_message("no.such.code", name="x")) == "no.such.code"
    assert render_english(build_message("draw.theirs")) == "{name} offered a draw."
    assert render_english(build_message("draw.theirs", name="{oops}")) == "{oops} offered a draw."


def test_a_name_that_is_written_leftwards_keeps_to_itself() -> None:
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"
    assert (
        render_english(build_message("draw.theirs", name=name))
        == f"\u2068{name}\u2069 offered a draw."
    )


def test_in_a_sentence_from_right_to_left_every_name_keeps_to_itself() -> None:
    with translation.override("ar"):
        assert isolate_name("Anna.") == "\u2068Anna.\u2069"
    assert isolate_name("Anna.") == "Anna."


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_result_of_a_match_stands_out_in_its_sentence(language: str) -> None:
    ended = build_message("end.time.won", result=build_message("end.rules.won"))
    with translation.override(language):
        result = render(build_message("end.rules.won"))
        assert f'<strong class="result">{result}</strong>' in say_end(ended)


def test_a_result_without_a_reason_stands_out_too() -> None:
    won = build_message("end.rules.won")
    alone = build_message("end.rules.won", result=won)
    assert say_end(alone) == '<strong class="result">You won</strong>'
    cancelled = build_message("end.cancelled", result=won)
    assert say_end(cancelled) == "Game cancelled. It doesn&#x27;t count."


def test_dates_and_decimals_follow_the_language() -> None:
    until = build_message("refused.suspended-until", until="2026-11-25 16:30", reason="0.5")
    assert render(until) == "You are suspended until 2026-11-25 16:30 UTC. Reason: 0.5"
    soon = build_message("refused.name-soon", on="2026-11-25")
    assert render(soon) == "You can change your name again on 25 Nov 2026."
    with translation.override("de"):
        assert "25.11.2026 16:30" in render(until)
        assert "0,5" in render(until)
        assert "2026-11-25 16:30" in render_english(until)
        assert "2026-99-99" in render(build_message("refused.name-soon", on="2026-99-99"))


def test_a_name_that_stands_in_for_a_player_is_translated() -> None:
    assert [show_name(name) for name in ("Anna", "Computer (x)")] == ["Anna", "Computer (x)"]
    with activate_pseudo_language():
        assert show_name("Hidden player") == "⟦Hidden player⟧"
        assert show_name("Deleted player 7") == "⟦Deleted player 7⟧"
        assert show_name("Computer (casual)") == "⟦Computer (casual)⟧"
        won = render(build_message("end.rules.seen", winner="Computer (casual)"))
        assert won == "⟦⟦Computer (casual)⟧ won⟧"
    assert {f"Computer ({LEVELS[level]})" for level in LEVELS} < set(get_stand_ins())
    assert {HIDDEN_NAME, DELETED_NAME} < set(get_stand_ins())


def test_a_counted_sentence_names_the_parameter_that_counts() -> None:
    assert render(build_message("sign.resigned", ply=1)) == "Resigned after 1 move"
    assert render(build_message("sign.resigned", ply=2)) == "Resigned after 2 moves"


def test_every_board_marks_the_name_of_its_game() -> None:
    for slug, board in BOARDS.items():
        assert board.sentences["name"] == GAMES[slug].name


def test_a_code_has_one_sentence() -> None:
    add_sentences({"draw.mine": TABLE["draw.mine"]})
    with pytest.raises(ValueError, match=r"draw\.mine"):
        add_sentences({"draw.mine": "Something else."})


def test_a_sentence_is_said_in_the_active_language_and_plainly_in_english() -> None:
    what = build_message(
        "news.theirs", name="Sly Fox", said=build_message("dots-and-boxes.box", place="B1")
    )
    with activate_pseudo_language():
        assert render(what) == "⟦Sly Fox: ⟦box B1⟧.⟧"
        assert render(build_message("summary.moves", count=2)) == "⟦2 moves⟧"
        assert get_game_name("dots-and-boxes") == "⟦Dots and Boxes⟧"
        assert render_english(what) == "Sly Fox: box B1."
    assert render(what) == render_english(what)


def test_a_refused_name_is_told_in_numbers() -> None:
    with pytest.raises(Exception, match="name-too-short") as found:
        check_name("x")
    assert render_english(found.value.words) == "A name needs at least 3 characters."  # type: ignore[attr-defined]


def test_the_scripts_module_is_kept_for_ever_under_the_address_of_its_content(rf: object) -> None:
    language, digest = address().removeprefix("/words/").removesuffix(".js").split(".")
    assert language == translation.get_language()
    for asked, kept in ((digest, "immutable"), ("0" * 12, "no-store")):
        request = rf.get(f"/words/{language}.{asked}.js")  # type: ignore[attr-defined]
        answer = script(request, language, asked)
        assert kept in answer.headers["Cache-Control"]
        assert answer.headers["Content-Type"].startswith("text/javascript")
        assert "{result} on time" in answer.content.decode()
        assert not answer.has_header("Vary")
