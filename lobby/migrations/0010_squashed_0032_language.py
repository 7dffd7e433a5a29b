"""Does what the migrations do that it replaces; `tests/games/migrations/test_squashed.py` compares.

The steps for groups and rated games are left out: it makes their tables. Matches can be there before it,
so that the step of 0023 for them is kept.
"""

import django.db.models.deletion
import games.runtime.ids
import games.runtime.bulk_migration
import lobby.models.player
import lobby.models.webhook
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("lobby", "0010_players"),
        ("lobby", "0011_ratings"),
        ("lobby", "0012_pool"),
        ("lobby", "0013_computer_ratings"),
        ("lobby", "0014_groups"),
        ("lobby", "0015_tournaments"),
        ("lobby", "0016_accuracy"),
        ("lobby", "0017_tokens"),
        ("lobby", "0018_archived"),
        ("lobby", "0019_oauth"),
        ("lobby", "0020_webhooks"),
        ("lobby", "0021_own_sign_in"),
        ("lobby", "0022_protection"),
        ("lobby", "0023_uncounted_matches"),
        ("lobby", "0024_coarse_name_keys"),
        ("lobby", "0025_username_message"),
        ("lobby", "0026_server_players"),
        ("lobby", "0027_classes"),
        ("lobby", "0028_browsers"),
        ("lobby", "0029_erasure"),
        ("lobby", "0030_class_login"),
        ("lobby", "0031_arena_bots"),
        ("lobby", "0032_language"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0028_client_networks"),
        ("lobby", "0009_aliases"),
    ]

    operations = [
        games.runtime.bulk_migration.BulkMigration(
            operations=[
                migrations.AddField(
                    model_name="device",
                    name="sign_in",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="lobby.signin",
                    ),
                ),
                migrations.AddField(
                    model_name="player",
                    name="is_bot",
                    field=models.BooleanField(db_default=False, default=False, editable=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="is_protected",
                    field=models.BooleanField(
                        db_default=False,
                        default=False,
                        editable=False,
                        verbose_name="protected (a minor)",
                    ),
                ),
                migrations.AddField(
                    model_name="player",
                    name="is_class_account",
                    field=models.BooleanField(db_default=False, default=False, editable=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="language",
                    field=models.CharField(
                        blank=True, db_default="", default="", editable=False, max_length=12
                    ),
                ),
                migrations.AddField(
                    model_name="server",
                    name="players",
                    field=models.TextField(blank=True, db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="seek",
                    name="highest",
                    field=models.PositiveSmallIntegerField(db_default=4000, default=4000),
                ),
                migrations.AddField(
                    model_name="seek",
                    name="lowest",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.AlterField(
                    model_name="player",
                    name="shown_as",
                    field=models.CharField(editable=False, max_length=48, null=True),
                ),
                migrations.AddIndex(
                    model_name="device",
                    index=models.Index(fields=["token"], name="device_by_token"),
                ),
                migrations.AddIndex(
                    model_name="player",
                    index=models.Index(
                        condition=models.Q(("is_protected", True)),
                        fields=["id"],
                        name="player_protected",
                    ),
                ),
                migrations.AddIndex(
                    model_name="player",
                    index=models.Index(
                        lobby.models.player.CoarseKey(models.F("name_key")),
                        name="player_coarse_key",
                    ),
                ),
                migrations.CreateModel(
                    name="HistoryMark",
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
                        ("at", models.DateTimeField()),
                        ("match", models.CharField(default="", max_length=40)),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Preferences",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="preferences",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "scheme",
                            models.CharField(
                                choices=[
                                    ("system", "System"),
                                    ("light", "Light"),
                                    ("dark", "Dark"),
                                ],
                                default="system",
                                max_length=6,
                            ),
                        ),
                        (
                            "board",
                            models.CharField(
                                choices=[("wood", "Wood"), ("paper", "Paper"), ("slate", "Slate")],
                                default="wood",
                                max_length=5,
                            ),
                        ),
                        ("sound", models.BooleanField(default=True)),
                        ("confirm", models.BooleanField(default=None, null=True)),
                        ("phrases", models.BooleanField(default=True)),
                        (
                            "challenges",
                            models.CharField(
                                choices=[
                                    ("anyone", "Anyone"),
                                    ("accounts", "Accounts"),
                                    ("nobody", "Nobody"),
                                ],
                                default="anyone",
                                max_length=8,
                            ),
                        ),
                        ("rated", models.BooleanField(db_default=False, default=False)),
                        (
                            "archived",
                            models.CharField(
                                choices=[("number", "Number"), ("name", "Name")],
                                db_default="number",
                                default="number",
                                max_length=6,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Adoption",
                    fields=[
                        (
                            "guest",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("is_done", models.BooleanField(default=False)),
                        (
                            "account",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_done", False)),
                                fields=["guest"],
                                name="adoption_to_do",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Block",
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
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "whom",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(fields=("by", "whom"), name="one_block"),
                            models.CheckConstraint(
                                condition=models.Q(("by", models.F("whom")), _negated=True),
                                name="block_of_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Challenge",
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
                        ("options", models.CharField(blank=True, default="", max_length=64)),
                        ("rated", models.BooleanField(default=False)),
                        (
                            "side",
                            models.CharField(
                                blank=True,
                                choices=[("", "Any"), ("first", "First"), ("second", "Second")],
                                default="",
                                max_length=6,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        (
                            "answer",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "Open"),
                                    ("accepted", "Accepted"),
                                    ("declined", "Declined"),
                                ],
                                default="",
                                max_length=8,
                            ),
                        ),
                        ("word", models.CharField(blank=True, default="", max_length=12)),
                        ("answered_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "challenged",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "challenger",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["created_at"],
                        "default_permissions": (),
                        "indexes": [
                            models.Index(fields=["expires_at"], name="challenge_by_end"),
                            models.Index(fields=["challenger"], name="challenge_by_challenger"),
                            models.Index(fields=["created_at"], name="challenge_by_age"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("answer", "")),
                                fields=("challenger", "challenged"),
                                name="one_open_challenge",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("challenger", models.F("challenged")), _negated=True
                                ),
                                name="challenge_of_another",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("answer", ""), ("answered_at", None), ("match", None)
                                    ),
                                    models.Q(
                                        ("answer", "declined"),
                                        ("answered_at__isnull", False),
                                        ("match", None),
                                    ),
                                    models.Q(
                                        ("answer", "accepted"),
                                        ("answered_at__isnull", False),
                                        ("match__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="challenge_answered_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Played",
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
                        ("seat", models.PositiveSmallIntegerField()),
                        ("game", models.CharField(max_length=40)),
                        (
                            "result",
                            models.CharField(
                                choices=[
                                    ("won", "Won"),
                                    ("lost", "Lost"),
                                    ("drawn", "Drawn"),
                                    ("none", "None"),
                                ],
                                max_length=5,
                            ),
                        ),
                        ("length", models.PositiveSmallIntegerField()),
                        ("rated", models.BooleanField()),
                        ("ended_at", models.DateTimeField()),
                        (
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                        (
                            "opponent",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(fields=["player", "-ended_at", "-id"], name="played_all"),
                            models.Index(
                                fields=["player", "game", "-ended_at", "-id"], name="played_game"
                            ),
                            models.Index(
                                fields=["player", "result", "-ended_at", "-id"],
                                name="played_result",
                            ),
                            models.Index(
                                fields=["player", "length", "-ended_at", "-id"],
                                name="played_length",
                            ),
                            models.Index(
                                fields=["player", "rated", "-ended_at", "-id"], name="played_rated"
                            ),
                            models.Index(
                                fields=["player", "opponent", "-ended_at", "-id", "result"],
                                name="played_opponent",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "seat"), name="one_history_of_a_seat"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Tally",
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
                        ("game", models.CharField(max_length=40)),
                        ("computer", models.BooleanField()),
                        ("won", models.IntegerField(default=0)),
                        ("lost", models.IntegerField(default=0)),
                        ("drawn", models.IntegerField(default=0)),
                        ("none", models.IntegerField(default=0)),
                        (
                            "player",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("player", "game", "computer"), name="one_tally"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingSpread",
                    fields=[
                        (
                            "game",
                            models.CharField(max_length=40, primary_key=True, serialize=False),
                        ),
                        ("counts", models.JSONField()),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Recount",
                    fields=[
                        (
                            "game",
                            models.CharField(max_length=40, primary_key=True, serialize=False),
                        ),
                        ("at", models.DateTimeField()),
                        ("lot", models.BigIntegerField()),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="RoleAdvantage",
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
                        ("game", models.CharField(max_length=40)),
                        ("advantage", models.FloatField()),
                        ("games", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("game", "at"), name="one_advantage_then"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatedGame",
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
                        ("key", models.CharField(max_length=64)),
                        ("revision", models.PositiveIntegerField(default=0)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("rated", "Rated"),
                                    ("reversed", "Reversed"),
                                    ("recomputed", "Recomputed"),
                                    ("refunded", "Refunded"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("game", models.CharField(max_length=40)),
                        ("score", models.FloatField(null=True)),
                        ("advantage", models.FloatField(default=0.0)),
                        ("version", models.PositiveSmallIntegerField()),
                        ("at", models.DateTimeField()),
                        ("lot", models.BigIntegerField()),
                        ("points", models.FloatField(null=True)),
                        ("first_since", models.DateTimeField(null=True)),
                        ("first_rating", models.FloatField()),
                        ("first_deviation", models.FloatField()),
                        ("first_volatility", models.FloatField()),
                        ("first_new_rating", models.FloatField()),
                        ("first_new_deviation", models.FloatField()),
                        ("first_new_volatility", models.FloatField()),
                        ("first_games", models.PositiveIntegerField()),
                        ("first_best", models.FloatField()),
                        ("first_streak", models.PositiveIntegerField()),
                        ("first_longest", models.PositiveIntegerField()),
                        ("second_since", models.DateTimeField(null=True)),
                        ("second_rating", models.FloatField(null=True)),
                        ("second_deviation", models.FloatField(null=True)),
                        ("second_volatility", models.FloatField(null=True)),
                        ("second_new_rating", models.FloatField(null=True)),
                        ("second_new_deviation", models.FloatField(null=True)),
                        ("second_new_volatility", models.FloatField(null=True)),
                        ("second_games", models.PositiveIntegerField(null=True)),
                        ("second_best", models.FloatField(null=True)),
                        ("second_streak", models.PositiveIntegerField(null=True)),
                        ("second_longest", models.PositiveIntegerField(null=True)),
                        (
                            "first",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(fields=["game", "at", "lot"], name="rated_in_order"),
                            models.Index(fields=["first", "game", "at"], name="rated_by_first"),
                            models.Index(fields=["second", "game", "at"], name="rated_by_second"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("key", "revision"), name="one_rating_of_a_game"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Rating",
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
                        ("game", models.CharField(max_length=40)),
                        ("rating", models.FloatField()),
                        ("deviation", models.FloatField()),
                        ("volatility", models.FloatField()),
                        ("games", models.PositiveIntegerField()),
                        ("best", models.FloatField()),
                        ("streak", models.PositiveIntegerField()),
                        ("longest", models.PositiveIntegerField()),
                        ("key", models.CharField(max_length=64)),
                        ("rated_at", models.DateTimeField()),
                        ("previous_at", models.DateTimeField(null=True)),
                        ("listed_until", models.DateTimeField(null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("listed_until__isnull", False)),
                                fields=["game", "-rating", "player", "listed_until"],
                                name="rating_listed",
                            ),
                            models.Index(
                                condition=models.Q(("listed_until__isnull", False)),
                                fields=["listed_until"],
                                name="rating_listed_until",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("player", "game"), name="one_rating")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Pool",
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
                        ("game", models.CharField(max_length=40)),
                        ("clock", models.CharField(max_length=7)),
                        ("options", models.CharField(blank=True, default="", max_length=64)),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="pool_by_wave",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("game", "clock", "options"), name="one_pool_of_a_kind"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LevelRating",
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
                        ("game", models.CharField(max_length=40)),
                        ("level", models.PositiveSmallIntegerField()),
                        ("rating", models.FloatField()),
                        ("games", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("game", "level"), name="one_level_rating"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ComputerGame",
                    fields=[
                        (
                            "match",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="games.match",
                            ),
                        ),
                        ("game", models.CharField(max_length=40)),
                        ("level", models.PositiveSmallIntegerField()),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("score", models.FloatField()),
                        ("rating", models.FloatField()),
                        ("deviation", models.FloatField()),
                        ("at", models.DateTimeField()),
                        (
                            "person",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                fields=["game", "level", "-at"], name="computer_games_of_a_level"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Group",
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
                        ("name", models.CharField(max_length=60)),
                        (
                            "for_minors",
                            models.BooleanField(default=False, verbose_name="members are minors"),
                        ),
                        (
                            "code",
                            models.CharField(editable=False, max_length=16, null=True, unique=True),
                        ),
                        ("made_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(editable=False, null=True)),
                        (
                            "closed_as",
                            models.CharField(
                                choices=[
                                    ("archive", "Archive"),
                                    ("anonymise", "Anonymise"),
                                    ("erase", "Erase"),
                                ],
                                db_default="",
                                default="",
                                editable=False,
                                max_length=9,
                            ),
                        ),
                        ("erase_at", models.DateTimeField(editable=False, null=True)),
                        (
                            "organiser",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "class or club",
                        "verbose_name_plural": "classes and clubs",
                        "ordering": ["-made_at", "id"],
                        "permissions": [
                            ("organise", "Can run groups and make accounts for their members")
                        ],
                        "default_permissions": ("view", "change"),
                        "indexes": [
                            models.Index(fields=["-made_at", "id"], name="group_newest"),
                            models.Index(
                                condition=models.Q(("erase_at__isnull", False)),
                                fields=["erase_at"],
                                name="group_erase",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GroupGame",
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
                        ("is_live", models.BooleanField()),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(fields=["group", "-id"], name="group_game_newest"),
                            models.Index(
                                condition=models.Q(("is_live", True)),
                                fields=["group", "-id"],
                                name="group_game_live",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("group", "match"), name="group_game_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Making",
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
                        ("key", models.CharField(max_length=64, unique=True)),
                        ("shown_until", models.DateTimeField()),
                        (
                            "group",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Member",
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
                        ("listed_as", models.CharField(blank=True, default="", max_length=40)),
                        ("joined_at", models.DateTimeField()),
                        ("muted_until", models.DateTimeField(editable=False, null=True)),
                        ("paused_until", models.DateTimeField(editable=False, null=True)),
                        ("name_kept_until", models.DateTimeField(editable=False, null=True)),
                        (
                            "group",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="members",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "making",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="members",
                                to="lobby.making",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(fields=("group", "player"), name="member_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Series",
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
                        ("name", models.CharField(max_length=60)),
                        ("every_days", models.PositiveSmallIntegerField(default=7)),
                        ("best", models.PositiveSmallIntegerField(default=0)),
                        ("length", models.PositiveSmallIntegerField(default=0)),
                        ("next_at", models.DateTimeField(blank=True, null=True)),
                        ("rounds", models.PositiveSmallIntegerField(default=0)),
                        ("made_at", models.DateTimeField()),
                        (
                            "group",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "organiser",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["-made_at", "id"], name="series_newest")],
                    },
                ),
                migrations.CreateModel(
                    name="Tournament",
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
                        ("name", models.CharField(max_length=60)),
                        ("about", models.CharField(blank=True, default="", max_length=2000)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("round-robin", "Round Robin"),
                                    ("swiss", "Swiss"),
                                    ("knockout", "Knockout"),
                                    ("arena", "Arena"),
                                ],
                                max_length=11,
                            ),
                        ),
                        ("game", models.CharField(max_length=40)),
                        ("clock", models.CharField(blank=True, default="", max_length=7)),
                        ("options", models.CharField(blank=True, default="", max_length=64)),
                        ("rated", models.BooleanField(default=False)),
                        ("rounds", models.PositiveSmallIntegerField(default=0)),
                        ("is_double", models.BooleanField(default=False)),
                        ("minutes", models.PositiveSmallIntegerField(default=0)),
                        ("best_of", models.PositiveSmallIntegerField(default=1)),
                        ("third_place", models.BooleanField(default=False)),
                        ("tie_breaks", models.CharField(blank=True, default="", max_length=120)),
                        (
                            "registration",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("code", "Code"),
                                    ("group", "Group"),
                                    ("invitation", "Invitation"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        (
                            "code",
                            models.CharField(editable=False, max_length=16, null=True, unique=True),
                        ),
                        ("guests", models.BooleanField(default=False)),
                        ("bots", models.BooleanField(db_default=False, default=False)),
                        ("lowest", models.PositiveSmallIntegerField(default=0)),
                        ("highest", models.PositiveSmallIntegerField(default=4000)),
                        ("most", models.PositiveSmallIntegerField()),
                        ("opens_at", models.DateTimeField(blank=True, null=True)),
                        ("check_in_minutes", models.PositiveSmallIntegerField(default=0)),
                        ("starts_at", models.DateTimeField()),
                        (
                            "pace",
                            models.CharField(
                                choices=[("ready", "Ready"), ("timed", "Timed")],
                                default="ready",
                                max_length=5,
                            ),
                        ),
                        ("round_minutes", models.PositiveSmallIntegerField(default=0)),
                        ("late_minutes", models.PositiveSmallIntegerField(default=5)),
                        ("number", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("announced", "Announced"),
                                    ("registration", "Registration"),
                                    ("check-in", "Check In"),
                                    ("running", "Running"),
                                    ("over", "Over"),
                                    ("called-off", "Called Off"),
                                ],
                                default="announced",
                                max_length=12,
                            ),
                        ),
                        ("paused_at", models.DateTimeField(blank=True, null=True)),
                        ("round", models.PositiveSmallIntegerField(default=0)),
                        ("pairings", models.PositiveIntegerField(default=0)),
                        ("made_at", models.DateTimeField()),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ends_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "group",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "organiser",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "series",
                            models.ForeignKey(
                                blank=True,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="lobby.series",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": ("view", "change"),
                        "indexes": [
                            models.Index(
                                fields=["state", "starts_at", "id"], name="tournament_by_state"
                            ),
                            models.Index(
                                condition=models.Q(("ended_at__isnull", False)),
                                fields=["-ended_at", "id"],
                                name="tournament_over",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="tournament_due",
                            ),
                            models.Index(
                                fields=["organiser", "-starts_at"], name="tournament_of_organiser"
                            ),
                            models.Index(
                                condition=models.Q(("group__isnull", False)),
                                fields=["group", "-starts_at"],
                                name="tournament_of_group",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("series", "number"), name="one_of_a_series"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Round",
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
                        ("number", models.PositiveSmallIntegerField()),
                        ("began_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField(blank=True, null=True)),
                        ("is_over", models.BooleanField(default=False)),
                        (
                            "tournament",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.tournament",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "number"), name="one_round"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LogLine",
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
                        ("at", models.DateTimeField()),
                        ("said", models.JSONField()),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.tournament",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["tournament", "-id"], name="log_newest")],
                    },
                ),
                migrations.CreateModel(
                    name="Accuracy",
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
                        ("game", models.CharField(max_length=40)),
                        ("band", models.PositiveSmallIntegerField()),
                        ("moves", models.PositiveSmallIntegerField()),
                        ("kept", models.PositiveSmallIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                fields=["player", "game", "-at"], name="accuracy_of_player"
                            ),
                            models.Index(
                                fields=["game", "band", "-at"], name="accuracy_near_a_rating"
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "player"), name="one_accuracy")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Token",
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
                        ("name", models.CharField(max_length=60)),
                        ("hash", models.CharField(max_length=64, unique=True)),
                        ("scopes", models.CharField(max_length=120)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(null=True)),
                        ("used_at", models.DateTimeField(null=True)),
                        ("stream", models.CharField(blank=True, default="", max_length=16)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "application",
                            models.CharField(blank=True, db_default="", default="", max_length=280),
                        ),
                    ],
                    options={
                        "ordering": ["-created_at"],
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["expires_at"], name="token_by_end")],
                    },
                ),
                migrations.CreateModel(
                    name="AuthorizationCode",
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
                        ("hash", models.CharField(max_length=64, unique=True)),
                        ("client", models.CharField(max_length=60)),
                        ("redirect", models.CharField(max_length=500)),
                        ("challenge", models.CharField(max_length=43)),
                        ("scopes", models.CharField(max_length=120)),
                        ("expires_at", models.DateTimeField()),
                        ("is_used", models.BooleanField(default=False)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="codes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "token",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="codes",
                                to="lobby.token",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["expires_at"], name="code_by_end")],
                    },
                ),
                migrations.CreateModel(
                    name="Webhook",
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
                        ("address", models.CharField(max_length=500)),
                        ("of_games", models.BooleanField()),
                        ("of_tournaments", models.BooleanField()),
                        ("secret", models.CharField(editable=False, max_length=255)),
                        ("made_at", models.DateTimeField()),
                        ("heard_at", models.DateTimeField(null=True)),
                        ("failing_since", models.DateTimeField(null=True)),
                        ("off_at", models.DateTimeField(null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhooks",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Delivery",
                    fields=[
                        (
                            "id",
                            models.CharField(
                                default=lobby.models.webhook.new_delivery,
                                editable=False,
                                max_length=24,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("event", models.CharField(max_length=40)),
                        ("kind", models.CharField(max_length=24)),
                        ("body", models.TextField()),
                        ("at", models.DateTimeField()),
                        ("due_at", models.DateTimeField(null=True)),
                        ("tries", models.PositiveSmallIntegerField(default=0)),
                        ("fault", models.CharField(blank=True, default="", max_length=12)),
                        ("given_up", models.BooleanField(default=False)),
                        (
                            "hook",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="lobby.webhook",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="delivery_due",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["hook", "due_at", "id"],
                                name="delivery_due_of_hook",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", True)),
                                fields=["at"],
                                name="delivery_done",
                            ),
                            models.Index(
                                condition=models.Q(("given_up", True)),
                                fields=["hook", "-at"],
                                name="delivery_given_up",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("hook", "event"), name="delivered_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ProtectionChange",
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
                        ("is_protected", models.BooleanField()),
                        ("reason", models.CharField(blank=True, max_length=200)),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="protection_changes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "permissions": [
                            ("change_protection", "Can protect players and lift their protection")
                        ],
                        "default_permissions": ("view",),
                    },
                ),
                migrations.CreateModel(
                    name="UncountedMatch",
                    fields=[
                        (
                            "match",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Entry",
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
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("invited", "Invited"),
                                    ("in", "In"),
                                    ("withdrawn", "Withdrawn"),
                                    ("removed", "Removed"),
                                    ("out", "Out"),
                                ],
                                default="in",
                                max_length=9,
                            ),
                        ),
                        ("seed", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("rating", models.FloatField(blank=True, null=True)),
                        ("entered_at", models.DateTimeField()),
                        ("checked_in_at", models.DateTimeField(blank=True, null=True)),
                        ("byes", models.CharField(blank=True, default="", max_length=80)),
                        ("since_round", models.PositiveSmallIntegerField(default=1)),
                        ("free_since", models.DateTimeField(blank=True, null=True)),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
                        ("points", models.PositiveIntegerField(default=0)),
                        ("games", models.PositiveSmallIntegerField(default=0)),
                        ("wins", models.PositiveSmallIntegerField(default=0)),
                        ("forfeits", models.PositiveSmallIntegerField(default=0)),
                        ("streak", models.PositiveSmallIntegerField(default=0)),
                        ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("sides", models.SmallIntegerField(default=0)),
                        ("began", models.BooleanField(default=False)),
                        ("opponent", models.PositiveBigIntegerField(blank=True, null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="lobby.tournament",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["player", "-id"], name="entry_of_player")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "player"), name="entered_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Pairing",
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
                        ("round", models.PositiveSmallIntegerField()),
                        ("board", models.PositiveIntegerField()),
                        ("leg", models.PositiveSmallIntegerField(default=1)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("played", "Played"),
                                    ("forfeit", "Forfeit"),
                                    ("bye", "Bye"),
                                    ("half-bye", "Half Bye"),
                                    ("zero-bye", "Zero Bye"),
                                ],
                                default="played",
                                max_length=8,
                            ),
                        ),
                        ("first_points", models.PositiveSmallIntegerField(null=True)),
                        ("second_points", models.PositiveSmallIntegerField(null=True)),
                        ("berserk", models.PositiveSmallIntegerField(default=0)),
                        ("absent", models.PositiveSmallIntegerField(default=0)),
                        ("made_at", models.DateTimeField()),
                        ("late_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "first",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.entry",
                            ),
                        ),
                        (
                            "match",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.entry",
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.tournament",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=["tournament"],
                                name="pairing_live",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "round", "board", "leg"), name="paired_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("first", models.F("second")), _negated=True),
                                name="pairing_of_two",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("match__isnull", False), ("second__isnull", False)),
                                    models.Q(("ended_at__isnull", False), ("match__isnull", True)),
                                    _connector="OR",
                                ),
                                name="pairing_has_a_match",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Transfer",
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
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "source",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "target",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(fields=["target", "at"], name="transfer_to_group"),
                            models.Index(fields=["at"], name="transfer_by_age"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("source", "player"), name="transfer_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Erasure",
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
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("erase", "erase: no statistics are kept"),
                                    (
                                        "anonymise",
                                        "anonymise: a number instead of the name, statistics are kept",
                                    ),
                                ],
                                max_length=9,
                            ),
                        ),
                        ("reason", models.CharField(blank=True, max_length=200)),
                        ("asked_at", models.DateTimeField()),
                        ("due_at", models.DateTimeField()),
                        ("done_at", models.DateTimeField(null=True)),
                        ("before", models.JSONField(default=dict)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="lobby.group",
                            ),
                        ),
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="erasure",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-asked_at", "-pk"],
                        "permissions": [("erase_player", "Can erase and anonymise accounts")],
                        "default_permissions": ("view",),
                        "indexes": [
                            models.Index(fields=["-asked_at", "-id"], name="erasure_newest"),
                            models.Index(
                                condition=models.Q(("done_at__isnull", True)),
                                fields=["due_at"],
                                name="erasure_due",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClassLogin",
                    fields=[
                        (
                            "group",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="lobby.group",
                            ),
                        ),
                        ("code", models.CharField(max_length=16, unique=True)),
                        ("open_until", models.DateTimeField()),
                        ("wrong_pictures", models.PositiveSmallIntegerField(default=0)),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="MemberLogin",
                    fields=[
                        (
                            "member",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="login",
                                serialize=False,
                                to="lobby.member",
                            ),
                        ),
                        ("card_hash", models.CharField(max_length=64, null=True, unique=True)),
                        ("pictures_hash", models.CharField(blank=True, default="", max_length=64)),
                        ("wrong_pictures", models.PositiveSmallIntegerField(default=0)),
                        ("changed_at", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="RealName",
                    fields=[
                        (
                            "member",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="lobby.member",
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.AddField(
                    model_name="entry",
                    name="playing",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="lobby.pairing",
                    ),
                ),
                migrations.AddIndex(
                    model_name="entry",
                    index=models.Index(
                        condition=models.Q(("playing__isnull", False)),
                        fields=["player"],
                        name="entry_playing",
                    ),
                ),
                migrations.AddIndex(
                    model_name="entry",
                    index=models.Index(
                        condition=models.Q(("playing__isnull", False)),
                        fields=["playing"],
                        name="entry_by_pairing",
                    ),
                ),
                migrations.AddField(
                    model_name="seek",
                    name="group",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.group",
                    ),
                ),
                migrations.RemoveConstraint(
                    model_name="seek",
                    name="one_open_seek_of_a_kind",
                ),
                migrations.AddIndex(
                    model_name="seek",
                    index=models.Index(
                        condition=models.Q(
                            ("by_address", False), ("match__isnull", True), ("rated", True)
                        ),
                        fields=["game", "clock", "options", "created_at"],
                        name="seek_by_pool",
                    ),
                ),
                migrations.AddIndex(
                    model_name="seek",
                    index=models.Index(
                        condition=models.Q(("group__isnull", False)),
                        fields=["group"],
                        name="seek_of_group",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seek",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(
                            ("by_address", False), ("group__isnull", True), ("match__isnull", True)
                        ),
                        fields=("player", "game", "clock", "options", "rated"),
                        name="one_open_seek_of_a_kind",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seek",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("match__isnull", True), ("group__isnull", False)),
                        fields=("player", "group", "game", "clock", "options", "rated"),
                        name="one_open_seek_in_a_group",
                    ),
                ),
            ],
        ),
        # Only a message, which no database stores.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="player",
                    name="username",
                    field=models.CharField(
                        error_messages={"unique": "This name, or a similar one, is already taken."},
                        max_length=40,
                        unique=True,
                        verbose_name="name",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(
            sql="\n    INSERT INTO lobby_uncountedmatch (match_id)\n    SELECT m.id FROM games_match m\n    WHERE m.rated AND m.acted = 3 AND m.status = 'over' AND m.ended <> 'voided'\n    AND NOT EXISTS (SELECT 1 FROM lobby_ratedgame r WHERE r.key = m.id)\n    AND NOT EXISTS (SELECT 1 FROM games_event e WHERE e.match_id = m.id AND e.due_at IS NOT NULL)\n",
            reverse_sql="",
        ),
    ]
