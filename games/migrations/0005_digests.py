from django.db import migrations


def seal(apps, schema_editor):
    """Give the matches that were played before there were digests theirs."""
    Match = apps.get_model("games", "Match")
    Move = apps.get_model("games", "Move")
    if not Match.objects.filter(chain="").exists():
        return
    from msgspec.structs import replace

    from games.store.digests import begun, linked, sealed
    from games.match.state import NewMove, Row

    known = {field.attname for field in Match._meta.get_fields() if hasattr(field, "attname")}
    fields = [name for name in Row.__struct_fields__ if name in known]
    for values in list(Match.objects.filter(chain="").values_list(*fields)):
        row = Row(**dict(zip(fields, values)))
        chain = begun(row)
        moves = Move.objects.filter(match_id=row.id).order_by("ply")
        for move in moves.values_list("match_id", "ply", "role", "action", "at", "spent_ms"):
            chain = linked(chain, NewMove(*move))
        row = replace(row, chain=chain)
        Match.objects.filter(pk=row.id).update(chain=chain, digest=sealed(row))


class Migration(migrations.Migration):

    dependencies = [("games", "0004_review")]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
