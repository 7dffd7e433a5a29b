"""An empty database filled with one of everything that a page can show."""

from django.db.models import Q

from games.match.commands import OfferDraw
from games.match.offers import DRAW_FROM_PLY
from games.rules import GAMES
from lobby.groups.class_closing import close_class
from lobby.models import Pairing
from lobby.tournaments import presence
from tests.builders.class_logins import create_class, give_logins, open_class
from tests.builders.groups import create_group
from tests.builders.matches import (
    commit_command,
    create_finished_match,
    create_match,
    create_rated_win,
    deliver_events,
)
from tests.builders.players import create_organiser, create_player
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    pass_time,
    play_round,
    play_tournament,
    start_tournament,
)

MEMBER, ORGANISER, REVIEWER = "Member 01", "Olga Brook", "Rita Cole"
KINDS = ("swiss", "round-robin", "knockout", "arena")


def fill() -> dict[str, str]:
    """Fill the database of a site that no server uses yet. Return the addresses by name."""
    organiser = create_organiser(ORGANISER)
    create_player(REVIEWER, "reviewer")
    members = [create_player(f"Member {number:02}") for number in range(1, 9)]
    member, other = members[:2]
    closed = create_group(organiser, *members[:2])
    close_class(organiser, closed.pk, "archive", "")
    group = create_group(organiser, *members[:2]).get_absolute_url()
    pupil = create_player("Pupil One")
    group_of_minors = create_group(organiser, pupil, for_minors=True).get_absolute_url()
    found = {
        "group": group,
        "move": f"{group}members/{members[0].pk}/move/",
        "close": f"{group}close/",
        "closed": closed.get_absolute_url(),
        "care": f"{group_of_minors}members/{pupil.pk}/care/",
        "remove": f"{group}members/{members[0].pk}/remove/",
        "player": f"/player/{member.username}/",
        "challenge": f"/player/{other.username}/challenge/",
    }
    pupils = [create_player(f"Pupil {number}") for number in range(1, 4)]
    school = create_class(*pupils, organiser=organiser)
    give_logins(school, *pupils)
    found["class login"] = f"/class/#{open_class(school, 8).code}"
    for page in ("cards", "names", "login/board"):
        found[f"class {page}"] = f"{school.get_absolute_url()}{page}/"
    for slug in GAMES:
        found[f"live {slug}"] = f"/match/{create_match(slug, member, other).pk}/"
        found[f"over {slug}"] = f"/match/{create_finished_match(slug, member, other).pk}/"
    found["timed"] = f"/match/{create_match('tic-tac-toe', member, other, 1, '180+20').pk}/"
    drawish = create_match("dots-and-boxes", member, other, DRAW_FROM_PLY)
    commit_command(drawish, other.pk, OfferDraw())
    found["draw offered"] = f"/match/{drawish.pk}/"
    found["rated"] = f"/match/{create_rated_win(member, other).pk}/"
    found["embed"] = f"/embed{found['over tic-tac-toe']}"
    for kind in KINDS:
        for stage in ("open", "running", "over"):
            length = {"minutes": 180} if kind == "arena" else {}
            made = create_tournament(organiser, kind, name=f"The {kind}, {stage}", **length)
            join_players(made, members)
            if stage != "open":
                presence.record_present(made.pk, [each.pk for each in members])
                start_tournament(made)
            if stage == "over":
                play_round(made)
                if kind == "arena":
                    pass_time(made, 200)
                else:
                    play_tournament(made)
            elif stage == "running" and kind != "arena":
                play_round(made)
            elif stage == "running":
                mine = Q(first__player=member) | Q(second__player=member)
                game = Pairing.objects.get(mine, tournament=made)
                found["arena game"] = f"/match/{game.match_id}/"
            found[f"{kind} {stage}"] = made.get_absolute_url()
    deliver_events()
    return found
