from django.db import migrations, models

from games.messages.names import compute_name_key

SOME = 1000  # players that are filled at once


def fill(apps, schema_editor):
    """Give every name its key; of names that are too much alike the oldest, the others none."""
    player = apps.get_model("lobby", "Player")
    last = 0
    while True:
        some = list(player.objects.filter(pk__gt=last).order_by("pk").only("pk", "username")[:SOME])
        if not some:
            return
        last = some[-1].pk
        keys = {compute_name_key(each.username) for each in some} - {""}
        taken = set(player.objects.filter(name_key__in=keys).values_list("name_key", flat=True))
        free = []
        for each in some:
            key = compute_name_key(each.username)
            if key and key not in taken:
                taken.add(key)
                each.name_key = key
                free.append(each)
        player.objects.bulk_update(free, ["name_key"])


class Migration(migrations.Migration):
    """Names that look alike: `games.messages.names` says which do, this column refuses the second of them."""

    dependencies = [("lobby", "0003_confirm")]

    operations = [
        migrations.AlterModelManagers(name="player", managers=[]),
        migrations.AlterField(
            model_name="player",
            name="username",
            field=models.CharField(
                error_messages={
                    "unique": "Somebody has this name already, or one that looks like it."
                },
                max_length=40,
                unique=True,
                verbose_name="name",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="name_key",
            field=models.CharField(editable=False, max_length=100, null=True, unique=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
