"""Removes the analyses that were made, as a release stored them in the wrong order. Whoever wants
one asks for it again."""

from django.db import migrations


def remove(apps, schema_editor):
    apps.get_model("games", "Analysis").objects.filter(due_at=None).delete()


class Migration(migrations.Migration):

    dependencies = [("games", "0021_rating_signs")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop)]
