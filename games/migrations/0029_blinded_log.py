"""A new log with blinded entries beside the former one, whose tables stay as they are.

The former log's models get other names in Django only: code of the release before works on, and
what it still appends there is taken up by the new log.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0028_client_networks"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("LogHead", "FormerLogHead"),
                migrations.AlterModelTable("FormerLogHead", "games_loghead"),
                migrations.RenameModel("LogEntry", "FormerLogEntry"),
                migrations.AlterModelTable("FormerLogEntry", "games_logentry"),
                migrations.AlterField(
                    model_name="formerlogentry",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.match",
                    ),
                ),
                migrations.RenameModel("LogNode", "FormerLogNode"),
                migrations.AlterModelTable("FormerLogNode", "games_lognode"),
            ],
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("peaks", models.TextField(blank=True, default="")),
                ("former_size", models.PositiveBigIntegerField(default=0)),
                ("former_taken", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "db_table": "games_blindedloghead",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="LogNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.PositiveBigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "db_table": "games_blindedlognode",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("level", "index"), name="one_blinded_hash_per_node"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("index", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("nonce", models.CharField(blank=True, max_length=32)),
                ("former_size", models.PositiveBigIntegerField(null=True)),
                ("sha256", models.CharField(max_length=64)),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.match",
                    ),
                ),
            ],
            options={
                "db_table": "games_blindedlogentry",
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["match", "-index"], name="blinded_log_by_match")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("former_size__isnull", True), ("match__isnull", False)
                        )
                        | models.Q(("former_size__isnull", False), ("match__isnull", True)),
                        name="log_entry_of_match_or_former",
                    )
                ],
            },
        ),
    ]
