from django.db import migrations


def seal(apps, schema_editor):
    """Give the matches that were played before there were digests theirs."""
    Match = apps.get_model("games", "Match")
    Move = apps.get_model("games", "Move")
    if not Match.objects.filter(chain="").exists():
        return
    from msgspec.structs import replace

    from games.store.digests import hash_start, hash_move, compute_former_digest
    from games.match.state import NewMove, MatchState

    known = {field.attname for field in Match._meta.get_fields() if hasattr(field, "attname")}
    fields = [name for name in MatchState.__struct_fields__ if name in known]
    for values in list(Match.objects.filter(chain="").values_list(*fields)):
        state = MatchState(**dict(zip(fields, values)))
        chain = hash_start(state)
        moves = Move.objects.filter(match_id=state.id).order_by("ply")
        for move in moves.values_list("match_id", "ply", "role", "action", "at", "spent_ms"):
            chain = hash_move(chain, NewMove(*move))
        state = replace(state, chain=chain)
        Match.objects.filter(pk=state.id).update(chain=chain, digest=compute_former_digest(state))


class Migration(migrations.Migration):
    dependencies = [("games", "0004_review")]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
