"""Does what the migrations do that it replaces; `tests/games/migrations/test_squashed.py` compares.

The step for the players' rows is left out: it makes their table.
"""

import django.db.models.deletion
import django.utils.timezone
import games.runtime.ids
import games.runtime.bulk_migration
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("lobby", "0001_initial"),
        ("lobby", "0002_computer"),
        ("lobby", "0003_confirm"),
        ("lobby", "0004_name_key"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0001_initial"),
    ]

    operations = [
        games.runtime.bulk_migration.BulkMigration(
            operations=[
                migrations.CreateModel(
                    name="Server",
                    fields=[
                        (
                            "id",
                            models.CharField(
                                editable=False, max_length=10, primary_key=True, serialize=False
                            ),
                        ),
                        ("online", models.PositiveIntegerField(default=0)),
                        ("seen_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Player",
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
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        (
                            "last_login",
                            models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                        ),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "email",
                            models.EmailField(
                                blank=True, max_length=254, verbose_name="email address"
                            ),
                        ),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="date joined"
                            ),
                        ),
                        (
                            "username",
                            models.CharField(
                                error_messages={
                                    "unique": "Somebody has this name already, or one that looks like it."
                                },
                                max_length=40,
                                unique=True,
                                verbose_name="name",
                            ),
                        ),
                        ("is_guest", models.BooleanField(default=False)),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                        (
                            "bot_level",
                            models.PositiveSmallIntegerField(
                                blank=True, editable=False, null=True, unique=True
                            ),
                        ),
                        (
                            "name_key",
                            models.CharField(
                                editable=False, max_length=100, null=True, unique=True
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "user",
                        "verbose_name_plural": "users",
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="Seek",
                    fields=[
                        (
                            "id",
                            models.CharField(
                                default=games.runtime.ids.new_id,
                                editable=False,
                                max_length=10,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("game", models.CharField(max_length=40)),
                        ("clock", models.CharField(blank=True, default="", max_length=7)),
                        ("by_address", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField()),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seeks",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("answers", models.PositiveIntegerField(db_default=0, default=0)),
                        ("asks", models.PositiveIntegerField(db_default=0, default=0)),
                    ],
                    options={
                        "ordering": ["created_at"],
                        "indexes": [models.Index(fields=["seen_at"], name="seek_by_age")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("by_address", False), ("match__isnull", True)),
                                fields=("player", "game", "clock"),
                                name="one_open_seek_of_a_kind",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
