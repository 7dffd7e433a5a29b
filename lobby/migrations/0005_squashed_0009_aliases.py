"""Does what the migrations do that it replaces; `tests/games/migrations/test_squashed.py` compares."""

import django.db.models.deletion
import games.runtime.bulk_migration
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("lobby", "0005_setup"),
        ("lobby", "0006_another_name"),
        ("lobby", "0007_one_screen"),
        ("lobby", "0008_accounts"),
        ("lobby", "0009_aliases"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0017_sign_searches"),
        ("lobby", "0004_name_key"),
    ]

    operations = [
        games.runtime.bulk_migration.BulkMigration(
            operations=[
                migrations.RemoveConstraint(
                    model_name="seek",
                    name="one_open_seek_of_a_kind",
                ),
                migrations.AddField(
                    model_name="player",
                    name="alias_of",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="aliases",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AddField(
                    model_name="player",
                    name="beside",
                    field=models.OneToOneField(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="friend",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AddField(
                    model_name="player",
                    name="closed_at",
                    field=models.DateTimeField(editable=False, null=True),
                ),
                migrations.AddField(
                    model_name="player",
                    name="closing_at",
                    field=models.DateTimeField(editable=False, null=True),
                ),
                migrations.AddField(
                    model_name="player",
                    name="has_rolled",
                    field=models.BooleanField(db_default=False, default=False, editable=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="must_rename",
                    field=models.BooleanField(db_default=False, default=False, editable=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="name_free_at",
                    field=models.DateTimeField(editable=False, null=True),
                ),
                migrations.AddField(
                    model_name="player",
                    name="named_at",
                    field=models.DateTimeField(editable=False, null=True),
                ),
                migrations.AddField(
                    model_name="player",
                    name="shown_as",
                    field=models.CharField(editable=False, max_length=40, null=True),
                ),
                migrations.AddField(
                    model_name="seek",
                    name="options",
                    field=models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                migrations.AddField(
                    model_name="seek",
                    name="rated",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddIndex(
                    model_name="player",
                    index=models.Index(
                        condition=models.Q(("alias_of__isnull", False)),
                        fields=["alias_of"],
                        name="player_alias",
                    ),
                ),
                migrations.AddIndex(
                    model_name="player",
                    index=models.Index(
                        condition=models.Q(("name_free_at__isnull", False)),
                        fields=["name_free_at"],
                        name="player_alias_name",
                    ),
                ),
                migrations.AddIndex(
                    model_name="player",
                    index=models.Index(
                        condition=models.Q(("closing_at__isnull", False)),
                        fields=["closing_at"],
                        name="player_closing",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("alias_of", models.F("pk")), _negated=True),
                        name="alias_of_another",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("alias_of__isnull", True), ("is_active", False), _connector="OR"
                        ),
                        name="alias_logs_in_never",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seek",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("by_address", False), ("match__isnull", True)),
                        fields=("player", "game", "clock", "options", "rated"),
                        name="one_open_seek_of_a_kind",
                    ),
                ),
                migrations.CreateModel(
                    name="RecoveryWords",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("hash", models.CharField(max_length=128)),
                        ("made_at", models.DateTimeField()),
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recovery_words",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Device",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("token", models.CharField(max_length=64)),
                        ("seen_at", models.DateTimeField()),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="devices",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["seen_at"], name="device_by_age")],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "token"), name="device_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FactorReset",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("reason", models.CharField(max_length=500)),
                        ("asked_at", models.DateTimeField()),
                        ("confirmed_at", models.DateTimeField(null=True)),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="factor_resets",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "asked_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "confirmed_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-asked_at"],
                        "indexes": [models.Index(fields=["-asked_at"], name="factor_reset_newest")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("asked_by", models.F("confirmed_by")), _negated=True),
                                    models.Q(("asked_by", models.F("account")), _negated=True),
                                    models.Q(("confirmed_by", models.F("account")), _negated=True),
                                ),
                                name="factor_reset_by_two_others",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SignIn",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("device", models.CharField(max_length=80)),
                        ("at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField(null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sign_ins",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("seen_at", None)),
                                fields=["player", "-at"],
                                name="sign_in_unread",
                            ),
                            models.Index(fields=["at"], name="sign_in_by_age"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Appeal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("words", models.CharField(max_length=500)),
                        ("at", models.DateTimeField()),
                        ("answer", models.CharField(blank=True, default="", max_length=500)),
                        (
                            "answered_at",
                            models.DateTimeField(blank=True, editable=False, null=True),
                        ),
                        (
                            "answered_by",
                            models.ForeignKey(
                                blank=True,
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeals_answered",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "decision",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeal",
                                to="games.decision",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="appeals",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "default_permissions": ("view", "change"),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("answered_at__isnull", True)),
                                fields=["at", "id"],
                                name="open_appeals",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FormerName",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("name", models.CharField(max_length=40)),
                        ("name_key", models.CharField(max_length=100, unique=True)),
                        ("until", models.DateTimeField()),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="former_names",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["until"], name="former_name_by_age")],
                    },
                ),
            ],
        ),
    ]
