"""Removes the analyses of Dots and Boxes that were made: the solver could take one set of lines for
another, so that what they call certain may be wrong. Whoever wants one asks for it again."""

from django.db import migrations


def remove(apps, schema_editor):
    made = apps.get_model("games", "Analysis").objects.filter(due_at=None)
    made.filter(match__game="dots-and-boxes").delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0025_record_log")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop)]
