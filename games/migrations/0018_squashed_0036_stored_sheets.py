"""Does what the migrations do that it replaces; `tests/games/migrations/test_squashed.py` compares.

Analyses can be there before it, so that the one step of 0022 and 0026 for them is kept.
"""

import django.db.models.deletion
import django.utils.timezone
import games.runtime.bulk_migration
import games.runtime.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0018_moderators"),
        ("games", "0019_live_games_of_a_player"),
        ("games", "0020_new_name"),
        ("games", "0021_rating_signs"),
        ("games", "0022_reversed_analyses"),
        ("games", "0023_arranged"),
        ("games", "0024_positions"),
        ("games", "0025_record_log"),
        ("games", "0026_uncertain_boxes"),
        ("games", "0027_write_probe"),
        ("games", "0028_client_networks"),
        ("games", "0029_blinded_log"),
        ("games", "0030_labels"),
        ("games", "0031_renames"),
        ("games", "0032_reports_outside_games"),
        ("games", "0033_operation"),
        ("games", "0034_bulk_actions"),
        ("games", "0035_label_review_fields"),
        ("games", "0036_stored_sheets"),
    ]

    dependencies = [
        ("games", "0017_sign_searches"),
        ("lobby", "0006_another_name"),
        # These need no table of this migration, but each is much faster while there are few tables.
        ("mfa", "0003_authenticator_type_uniq"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        games.runtime.bulk_migration.BulkMigration(
            operations=[
                migrations.AlterModelOptions(
                    name="case",
                    options={
                        "default_permissions": ("view",),
                        "ordering": ["opened_at", "pk"],
                        "permissions": [("handle", "Can take and close reports")],
                        "verbose_name": "report",
                        "verbose_name_plural": "reports",
                    },
                ),
                migrations.AlterModelOptions(
                    name="decision",
                    options={
                        "default_permissions": ("view",),
                        "ordering": ["-at", "-pk"],
                        "permissions": [
                            ("decide", "Can decide on matches and players"),
                            ("reverse", "Can reverse a decision"),
                        ],
                        "verbose_name": "decision",
                        "verbose_name_plural": "decisions",
                    },
                ),
                migrations.AlterModelOptions(
                    name="match",
                    options={
                        "ordering": ["-created_at"],
                        "verbose_name": "game",
                        "verbose_name_plural": "games",
                    },
                ),
                migrations.AlterModelOptions(
                    name="sign",
                    options={
                        "default_permissions": ("view",),
                        "ordering": ["at", "pk"],
                        "verbose_name": "sign",
                        "verbose_name_plural": "signs",
                    },
                ),
                migrations.AddField(
                    model_name="match",
                    name="arranged",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="match",
                    name="berserk",
                    field=models.PositiveSmallIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="notice",
                    name="said",
                    field=models.JSONField(null=True),
                ),
                migrations.AddField(
                    model_name="sign",
                    name="said",
                    field=models.JSONField(null=True),
                ),
                migrations.AlterField(
                    model_name="notice",
                    name="words",
                    field=models.CharField(blank=True, db_default="", default="", max_length=700),
                ),
                migrations.AlterField(
                    model_name="sign",
                    name="words",
                    field=models.CharField(blank=True, db_default="", default="", max_length=300),
                ),
                migrations.AddIndex(
                    model_name="case",
                    index=models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["player", "id"],
                        name="open_cases_by_player",
                    ),
                ),
                migrations.AddIndex(
                    model_name="connection",
                    index=models.Index(
                        fields=["address", "-opened_at"], name="connection_by_address"
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(("status", "live")),
                        fields=["first"],
                        name="match_live_by_first",
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(("status", "live")),
                        fields=["second"],
                        name="match_live_by_second",
                    ),
                ),
                migrations.AddIndex(
                    model_name="sign",
                    index=models.Index(
                        condition=models.Q(("seen_at__isnull", True)),
                        fields=["player", "kind"],
                        name="open_signs_by_player",
                    ),
                ),
                migrations.CreateModel(
                    name="Assignment",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="assignment",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="assignments",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Note",
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
                        ("at", models.DateTimeField(default=django.utils.timezone.now)),
                        ("words", models.CharField(max_length=500)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="notes_written",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="moderators_notes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["player", "-at"], name="notes_by_player")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("words", ""), _negated=True),
                                name="note_has_words",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PositionLook",
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
                        ("notation", models.CharField(max_length=255)),
                        ("asked_at", models.DateTimeField()),
                        ("due_at", models.DateTimeField(null=True)),
                        ("look", models.JSONField(default=dict)),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="position_due",
                            ),
                            models.Index(fields=["asked_at"], name="position_by_age"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("game", "notation"), name="one_look_per_position"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SigningKey",
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
                        ("text", models.CharField(max_length=300, unique=True)),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="LogWish",
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
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="WriteProbe",
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
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="ClientNetwork",
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
                        ("network", models.CharField(max_length=16)),
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
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [models.Index(fields=["at"], name="client_network_by_age")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "seat", "network"), name="one_network_per_seat"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FormerLogHead",
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
                        ("size", models.PositiveBigIntegerField(default=0)),
                    ],
                    options={
                        "default_permissions": (),
                        "db_table": "games_loghead",
                    },
                ),
                migrations.CreateModel(
                    name="FormerLogEntry",
                    fields=[
                        (
                            "index",
                            models.PositiveBigIntegerField(primary_key=True, serialize=False),
                        ),
                        ("sha256", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                        (
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                        "db_table": "games_logentry",
                        "indexes": [models.Index(fields=["match", "-index"], name="log_by_match")],
                    },
                ),
                migrations.CreateModel(
                    name="FormerLogNode",
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
                        ("level", models.PositiveSmallIntegerField()),
                        ("index", models.PositiveBigIntegerField()),
                        ("sha256", models.CharField(max_length=64)),
                    ],
                    options={
                        "default_permissions": (),
                        "db_table": "games_lognode",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("level", "index"), name="one_hash_per_node"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LogHead",
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
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                        (
                            "index",
                            models.PositiveBigIntegerField(primary_key=True, serialize=False),
                        ),
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
                migrations.CreateModel(
                    name="LastBackup",
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
                        ("machine", models.CharField(max_length=64)),
                        ("file", models.CharField(max_length=500)),
                        ("bytes", models.PositiveBigIntegerField()),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="ProcessBeat",
                    fields=[
                        (
                            "id",
                            models.CharField(
                                editable=False, max_length=10, primary_key=True, serialize=False
                            ),
                        ),
                        ("command", models.CharField(max_length=16)),
                        ("machine", models.CharField(max_length=64)),
                        ("version", models.CharField(max_length=64)),
                        ("bots", models.PositiveSmallIntegerField(default=0)),
                        ("began_at", models.DateTimeField()),
                        ("at", models.DateTimeField(db_index=True)),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="FailureCount",
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
                        ("day", models.DateField(db_index=True)),
                        ("event", models.CharField(max_length=120)),
                        ("error", models.CharField(max_length=80)),
                        ("place", models.CharField(max_length=120)),
                        ("times", models.PositiveIntegerField()),
                        ("last_at", models.DateTimeField()),
                    ],
                    options={
                        "default_permissions": (),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("day", "event", "error", "place"),
                                name="one_count_of_failures",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BulkAction",
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
                        ("key", models.CharField(max_length=32, unique=True)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("dismiss", "dismissed"), ("merge", "merged")],
                                max_length=8,
                                verbose_name="Kind",
                            ),
                        ),
                        ("players", models.JSONField(default=list)),
                        ("reason", models.CharField(max_length=500, verbose_name="Reason")),
                        ("at", models.DateTimeField(verbose_name="When")),
                        ("undone_at", models.DateTimeField(null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="bulk_actions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "into",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "undone_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "bulk action",
                        "verbose_name_plural": "bulk actions",
                        "ordering": ["-at", "-pk"],
                        "default_permissions": ("view",),
                        "indexes": [models.Index(fields=["-at", "-id"], name="bulk_action_by_age")],
                    },
                ),
                migrations.CreateModel(
                    name="MergedEntry",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "action",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="games.bulkaction",
                            ),
                        ),
                        (
                            "into",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="StoredSheet",
                    fields=[
                        (
                            "slug",
                            models.SlugField(
                                max_length=40,
                                primary_key=True,
                                serialize=False,
                                verbose_name="Address",
                            ),
                        ),
                        ("sheet", models.TextField(verbose_name="Rule sheet")),
                        (
                            "overlay",
                            models.TextField(blank=True, default="", verbose_name="Overlay"),
                        ),
                        ("digest", models.CharField(max_length=64, verbose_name="SHA-256")),
                        ("network", models.BinaryField()),
                        (
                            "access",
                            models.CharField(
                                choices=[
                                    ("on", "everybody"),
                                    ("invitation", "invited players"),
                                    ("off", "nobody"),
                                ],
                                default="on",
                                max_length=12,
                                verbose_name="Offered to",
                            ),
                        ),
                        ("added_at", models.DateTimeField(verbose_name="Added")),
                    ],
                    options={
                        "verbose_name": "rule sheet",
                        "verbose_name_plural": "rule sheets",
                        "ordering": ("slug",),
                        "default_permissions": ("add", "change", "view"),
                    },
                ),
                migrations.RemoveField(
                    model_name="case",
                    name="taken_at",
                ),
                migrations.RemoveField(
                    model_name="case",
                    name="taken_by",
                ),
                migrations.AlterField(
                    model_name="case",
                    name="match",
                    field=models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="games.match",
                    ),
                ),
                migrations.AddField(
                    model_name="case",
                    name="is_own_report",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="case",
                    name="bulk",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="games.bulkaction",
                    ),
                ),
                migrations.AddField(
                    model_name="sign",
                    name="bulk",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signs",
                        to="games.bulkaction",
                    ),
                ),
                migrations.AddIndex(
                    model_name="case",
                    index=models.Index(
                        condition=models.Q(("bulk__isnull", False)),
                        fields=["bulk"],
                        name="cases_of_bulk",
                    ),
                ),
                migrations.AddIndex(
                    model_name="sign",
                    index=models.Index(
                        condition=models.Q(("bulk__isnull", False)),
                        fields=["bulk"],
                        name="signs_of_bulk",
                    ),
                ),
                migrations.AddIndex(
                    model_name="decision",
                    index=models.Index(
                        condition=models.Q(("kind", "rename")), fields=["-id"], name="renames"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="case",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("closed_at__isnull", True), ("match__isnull", True)),
                        fields=("player",),
                        name="one_open_case_per_player_without_match",
                    ),
                ),
            ],
        ),
        # Only labels and choices, which no database stores.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="case",
                    name="opened_at",
                    field=models.DateTimeField(verbose_name="When"),
                ),
                migrations.AlterField(
                    model_name="case",
                    name="outcome",
                    field=models.CharField(
                        blank=True,
                        choices=[("acted", "action taken"), ("nothing", "no violation found")],
                        default="",
                        max_length=8,
                        verbose_name="Result",
                    ),
                ),
                migrations.AlterField(
                    model_name="decision",
                    name="at",
                    field=models.DateTimeField(verbose_name="When"),
                ),
                migrations.AlterField(
                    model_name="decision",
                    name="kind",
                    field=models.CharField(
                        choices=[
                            ("void", "void the game"),
                            ("correct", "correct the result"),
                            ("end", "end the game"),
                            ("warn", "warn the player"),
                            ("suspend", "suspend the player"),
                            ("rename", "rename the player"),
                            ("new-name", "have the player choose another name"),
                            ("reverse", "reverse a decision"),
                        ],
                        max_length=8,
                        verbose_name="Kind",
                    ),
                ),
                migrations.AlterField(
                    model_name="decision",
                    name="reason",
                    field=models.CharField(max_length=500, verbose_name="Reason"),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="clock",
                    field=models.CharField(
                        blank=True, default="", max_length=7, verbose_name="Clock"
                    ),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="created_at",
                    field=models.DateTimeField(verbose_name="Created"),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="ended",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("rules", "by the rules"),
                            ("resignation", "resignation"),
                            ("time", "on time"),
                            ("agreement", "agreement"),
                            ("abandoned", "abandoned"),
                            ("aborted", "cancelled"),
                            ("voided", "voided"),
                            ("adjudicated", "by the moderators"),
                        ],
                        default="",
                        max_length=12,
                        verbose_name="Ended",
                    ),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="id",
                    field=models.CharField(
                        default=games.runtime.ids.new_id,
                        editable=False,
                        max_length=10,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="ply",
                    field=models.PositiveIntegerField(default=0, verbose_name="Moves"),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="status",
                    field=models.CharField(
                        choices=[("live", "live"), ("over", "over"), ("aborted", "cancelled")],
                        default="live",
                        max_length=8,
                        verbose_name="Status",
                    ),
                ),
                migrations.AlterField(
                    model_name="report",
                    name="at",
                    field=models.DateTimeField(verbose_name="When"),
                ),
                migrations.AlterField(
                    model_name="report",
                    name="reason",
                    field=models.CharField(
                        choices=[
                            ("cheating", "outside help"),
                            ("losing", "lost on purpose"),
                            ("stalling", "stalled or left"),
                            ("name", "offensive name"),
                            ("lobby", "behaviour in the lobby"),
                            ("other", "something else"),
                        ],
                        max_length=8,
                        verbose_name="Reason",
                    ),
                ),
                migrations.AlterField(
                    model_name="sign",
                    name="at",
                    field=models.DateTimeField(verbose_name="When"),
                ),
                migrations.AlterField(
                    model_name="sign",
                    name="kind",
                    field=models.CharField(
                        choices=[
                            ("aborts", "many aborted games"),
                            ("rhythm", "moves at constant intervals"),
                            ("pair", "one-sided results against one opponent"),
                            ("address", "both players at the same address"),
                            ("thrown", "lost while ahead"),
                            ("losing", "quick losses to weaker players"),
                            ("farming", "rating points from a few easy opponents"),
                            ("sudden", "much stronger than the rating"),
                            ("wide", "persistently uncertain rating"),
                        ],
                        max_length=8,
                        verbose_name="Kind",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(
            sql="DELETE FROM games_analysis WHERE due_at IS NULL",
            reverse_sql="",
        ),
    ]
