import lobby.models.player
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0023_uncounted_matches'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(lobby.models.player.CoarseKey(models.F('name_key')), name='player_coarse_key'),
        ),
    ]
