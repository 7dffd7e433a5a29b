from django.db import migrations


def seal(apps, schema_editor):
    """Give the matches that were played before there were digests theirs."""
    Match = apps.get_model("games", "Match")
    Move = apps.get_model("games", "Move")
    if not Match.objects.filter(chain="").exists():
        return
    from msgspec.structs import replace

    from games.store.digests import begun, linked, sealed_by_result
    from games.match.state import NewMove, MatchState

    known = {field.attname for field in Match._meta.get_fields() if hasattr(field, "attname")}
    fields = [name for name in MatchState.__struct_fields__ if name in known]
    for values in list(Match.objects.filter(chain="").values_list(*fields)):
        state = MatchState(**dict(zip(fields, values)))
        chain = begun(state)
        moves = Move.objects.filter(match_id=state.id).order_by("ply")
        for move in moves.values_list("match_id", "ply", "role", "action", "at", "spent_ms"):
            chain = linked(chain, NewMove(*move))
        state = replace(state, chain=chain)
        Match.objects.filter(pk=state.id).update(chain=chain, digest=sealed_by_result(state))


class Migration(migrations.Migration):

    dependencies = [("games", "0004_review")]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
