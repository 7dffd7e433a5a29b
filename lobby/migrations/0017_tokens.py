import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0016_accuracy'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='is_bot',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='player',
            name='shown_as',
            field=models.CharField(editable=False, max_length=48, null=True),
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('hash', models.CharField(max_length=64, unique=True)),
                ('scopes', models.CharField(max_length=120)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('stream', models.CharField(blank=True, default='', max_length=16)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
                'default_permissions': (),
                'indexes': [models.Index(fields=['expires_at'], name='token_by_end')],
            },
        ),
    ]
