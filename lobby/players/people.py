"""Finding a player by name, and all rows of the person."""

from games.words.names import name_key
from lobby.models import Adoption, Player

_LONGEST = 80  # characters of a name that is looked for: names are shorter


def find(name: str) -> Player | None:
    """The player of that name; else of one that cannot be told from it, as when case differs. A
    guest who has an account now is that account. None: nobody."""
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST:
        return None
    found = Player.objects.filter(username=name).first()
    if found is None:
        key = name_key(name)
        found = Player.objects.filter(name_key=key).first() if key else None
    if found is not None and found.is_guest:
        adopted = Adoption.objects.filter(guest=found).select_related("account").first()
        return found if adopted is None else adopted.account
    return found


def rows_of(player_id: int) -> list[int]:
    """The player, and the guests that they were: in the seats of any of them they play now."""
    guests = Adoption.objects.filter(account=player_id).values_list("guest", flat=True)
    return [player_id, *guests]
