
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def mark_class_accounts(apps, schema_editor):
    """Mark the accounts that an organiser created and that are still in a group."""
    member = apps.get_model("lobby", "Member")
    made = member.objects.exclude(making=None).values("player")
    apps.get_model("lobby", "Player").objects.filter(pk__in=made).update(is_class_account=True)


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0026_server_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='member',
            name='muted_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='member',
            name='name_kept_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='member',
            name='paused_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='is_class_account',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(mark_class_accounts, migrations.RunPython.noop, elidable=True),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='lobby.group')),
                ('target', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='lobby.group')),
            ],
            options={
                'default_permissions': (),
                'indexes': [models.Index(fields=['target', 'at'], name='transfer_to_group'), models.Index(fields=['at'], name='transfer_by_age')],
                'constraints': [models.UniqueConstraint(fields=('source', 'player'), name='transfer_once')],
            },
        ),
    ]
