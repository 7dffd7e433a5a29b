"""Does what the migrations do that it replaces; `tests/games/migrations/test_squashed.py` compares.

The steps for rows are left out: before 0002 a match has no players, so there are no rows.
"""

import django.db.models.deletion
import django.utils.timezone
import games.runtime.bulk_migration
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0002_initial"),
        ("games", "0003_clocks"),
        ("games", "0004_review"),
        ("games", "0005_digests"),
        ("games", "0006_lighter_indexes"),
        ("games", "0007_one_index_less"),
        ("games", "0008_computer"),
        ("games", "0009_analysis"),
        ("games", "0010_watch"),
        ("games", "0011_time"),
        ("games", "0012_epoch"),
        ("games", "0013_callers"),
        ("games", "0014_disputes"),
        ("games", "0015_setup"),
        ("games", "0016_events"),
        ("games", "0017_sign_searches"),
    ]

    dependencies = [
        ("games", "0001_initial"),
        ("lobby", "0002_computer"),
    ]

    operations = [
        games.runtime.bulk_migration.BulkMigration(
            operations=[
                migrations.AddField(
                    model_name="attendance",
                    name="match",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attendance",
                        to="games.match",
                    ),
                ),
                migrations.AddField(
                    model_name="match",
                    name="bot_at",
                    field=models.DateTimeField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="chain",
                    field=models.CharField(blank=True, default="", max_length=32),
                ),
                migrations.AddField(
                    model_name="match",
                    name="clock",
                    field=models.CharField(blank=True, default="", max_length=7),
                ),
                migrations.AddField(
                    model_name="match",
                    name="deadline",
                    field=models.DateTimeField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="digest",
                    field=models.CharField(blank=True, default="", max_length=32),
                ),
                migrations.AddField(
                    model_name="match",
                    name="ended_by",
                    field=models.PositiveSmallIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="first",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches_as_first",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AddField(
                    model_name="match",
                    name="first_lag_ms",
                    field=models.PositiveIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="first_level",
                    field=models.PositiveSmallIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="first_ms",
                    field=models.PositiveIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="options",
                    field=models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                migrations.AddField(
                    model_name="match",
                    name="outage",
                    field=models.PositiveBigIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="rated",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="match",
                    name="rematch",
                    field=models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rematch_of",
                        to="games.match",
                    ),
                ),
                migrations.AddField(
                    model_name="match",
                    name="resumed_at",
                    field=models.DateTimeField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="second",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches_as_second",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AddField(
                    model_name="match",
                    name="second_lag_ms",
                    field=models.PositiveIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="second_level",
                    field=models.PositiveSmallIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="match",
                    name="second_ms",
                    field=models.PositiveIntegerField(blank=True, null=True),
                ),
                migrations.AddField(
                    model_name="move",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moves",
                        to="games.match",
                    ),
                ),
                migrations.AddIndex(
                    model_name="attendance",
                    index=models.Index(fields=["seen_at"], name="attendance_by_age"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["first", "-created_at"], name="match_by_first"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["second", "-created_at"], name="match_by_second"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(("status", "live")),
                        fields=["deadline"],
                        name="match_by_deadline",
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["-created_at", "-id"], name="match_by_age"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["game", "-created_at", "-id"], name="match_by_game"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        fields=["status", "-created_at", "-id"], name="match_by_status_and_age"
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["ended", "-created_at", "-id"], name="match_by_end"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(fields=["ended_at"], name="match_by_end_time"),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(("status", "live"), _negated=True),
                        fields=["-ply", "-id"],
                        name="match_by_length",
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(("bot_at__isnull", False)),
                        fields=["bot_at"],
                        name="match_by_bot",
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        condition=models.Q(
                            ("status", "live"),
                            models.Q(
                                ("first_level__isnull", False),
                                ("second_level__isnull", False),
                                _connector="OR",
                            ),
                        ),
                        fields=["first", "second"],
                        name="match_with_computer",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="attendance",
                    constraint=models.UniqueConstraint(
                        fields=("match", "server"), name="one_attendance_per_server"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="match",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("first_goal__isnull", True), ("first_goal__lte", 100), _connector="OR"
                        ),
                        name="match_first_goal_to_100",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="match",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("second_goal__isnull", True),
                            ("second_goal__lte", 100),
                            _connector="OR",
                        ),
                        name="match_second_goal_to_100",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="match",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended", ""), ("ended_at__isnull", True), ("status", "live")),
                            models.Q(
                                models.Q(("status", "live"), _negated=True),
                                models.Q(("ended", ""), _negated=True),
                                ("ended_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="match_ended_once",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="match",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True),
                        name="match_of_two_people",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="move",
                    constraint=models.UniqueConstraint(
                        fields=("match", "ply"), name="one_move_per_ply"
                    ),
                ),
                migrations.CreateModel(
                    name="Pulse",
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
                        ("up_since", models.DateTimeField()),
                        ("epoch", models.CharField(db_default="", default="", max_length=10)),
                    ],
                ),
                migrations.CreateModel(
                    name="Case",
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
                        ("opened_at", models.DateTimeField()),
                        ("taken_at", models.DateTimeField(blank=True, null=True)),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("acted", "the staff has acted"),
                                    ("nothing", "nothing to act on was found"),
                                ],
                                default="",
                                max_length=8,
                            ),
                        ),
                        (
                            "closed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases_closed",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "taken_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="cases_taken",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("disputed_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["opened_at", "pk"],
                        "verbose_name": "report",
                        "permissions": [("handle", "Can take and close reports")],
                        "default_permissions": ("view",),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("closed_at__isnull", True)),
                                fields=["opened_at", "id"],
                                name="open_cases",
                            ),
                            models.Index(fields=["opened_at", "id"], name="case_by_age"),
                            models.Index(
                                condition=models.Q(("disputed_at__isnull", False)),
                                fields=["disputed_at"],
                                name="disputed_cases",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("closed_at__isnull", True)),
                                fields=("match", "player"),
                                name="one_open_case_per_match_and_player",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Connection",
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
                        ("server", models.CharField(max_length=10)),
                        ("address", models.CharField(max_length=16)),
                        ("opened_at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="connections",
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["opened_at"],
                        "indexes": [models.Index(fields=["opened_at"], name="connection_by_age")],
                    },
                ),
                migrations.CreateModel(
                    name="Decision",
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
                                    ("void", "void the match"),
                                    ("correct", "correct the result"),
                                    ("end", "end the match"),
                                    ("warn", "warn the player"),
                                    ("suspend", "suspend the player"),
                                    ("rename", "rename the player"),
                                    ("reverse", "reverse a decision"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("reason", models.CharField(max_length=500)),
                        ("at", models.DateTimeField()),
                        ("until", models.DateTimeField(blank=True, null=True)),
                        ("first_goal", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("second_goal", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("name", models.CharField(blank=True, default="", max_length=40)),
                        ("before", models.JSONField(default=dict)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decisions_made",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decisions",
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="decisions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "reverses",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reversed_by",
                                to="games.decision",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "permissions": [
                            ("decide", "Can decide on matches and players"),
                            ("reverse", "Can reverse a decision"),
                        ],
                        "default_permissions": ("view",),
                        "indexes": [
                            models.Index(fields=["-at", "-id"], name="decision_by_age"),
                            models.Index(
                                condition=models.Q(("kind", "suspend")),
                                fields=["player", "until"],
                                name="suspension_by_player",
                            ),
                            models.Index(
                                condition=models.Q(("kind", "reverse")),
                                fields=["at", "id"],
                                name="reversal_by_age",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True),
                                name="decision_has_a_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("match__isnull", False),
                                    ("player__isnull", False),
                                    _connector="OR",
                                ),
                                name="decision_is_about_something",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("player__isnull", True)),
                                fields=("match", "number"),
                                name="one_decision_at_a_time_per_match",
                            ),
                            models.UniqueConstraint(
                                fields=("player", "number"),
                                name="one_decision_at_a_time_per_player",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Notice",
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
                        ("words", models.CharField(max_length=700)),
                        ("at", models.DateTimeField(default=django.utils.timezone.now)),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
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
                                related_name="notices",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("seen_at__isnull", True)),
                                fields=["player"],
                                name="unseen_notices",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Report",
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
                            "reason",
                            models.CharField(
                                choices=[
                                    ("cheating", "used outside help"),
                                    ("losing", "lost on purpose"),
                                    ("stalling", "stalled or left"),
                                    ("name", "offensive name"),
                                    ("other", "something else"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("words", models.CharField(blank=True, default="", max_length=500)),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reports_made",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reports",
                                to="games.case",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at"],
                        "default_permissions": ("view",),
                        "indexes": [models.Index(fields=["by", "at"], name="report_by_reporter")],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("case", "by"), name="one_report_each_per_case"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Sign",
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
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("aborts", "many aborts"),
                                    ("rhythm", "moves at constant intervals"),
                                    ("pair", "one-sided results between the same two"),
                                    ("address", "both players at one address"),
                                    ("thrown", "lost while ahead"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("words", models.CharField(max_length=300)),
                        ("at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="signs",
                                to="games.match",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="signs",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "seen_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="signs_seen",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "default_permissions": ("view",),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("seen_at__isnull", True)),
                                fields=["at", "id"],
                                name="open_signs",
                            ),
                            models.Index(fields=["at", "id"], name="sign_by_age"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Analysis",
                    fields=[
                        (
                            "match",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="analysis",
                                serialize=False,
                                to="games.match",
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("asked_at", models.DateTimeField()),
                        ("due_at", models.DateTimeField(null=True)),
                        ("looked", models.PositiveIntegerField(default=0)),
                        ("looks", models.JSONField(default=list)),
                        (
                            "asked_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "analyses",
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="analysis_due",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Watch",
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
                ),
                migrations.CreateModel(
                    name="Outage",
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
                        ("down_from", models.DateTimeField()),
                        ("up_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Caller",
                    fields=[
                        (
                            "player",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="caller",
                                serialize=False,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("address", models.CharField(max_length=16)),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["address"], name="caller_by_address"),
                            models.Index(fields=["at"], name="caller_by_age"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Event",
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
                        ("version", models.PositiveIntegerField()),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("began", "Began"),
                                    ("ended", "Ended"),
                                    ("voided", "Voided"),
                                    ("corrected", "Corrected"),
                                    ("restored", "Restored"),
                                ],
                                max_length=9,
                            ),
                        ),
                        ("ended", models.CharField(default="", max_length=12)),
                        ("first_goal", models.PositiveSmallIntegerField(null=True)),
                        ("second_goal", models.PositiveSmallIntegerField(null=True)),
                        ("at", models.DateTimeField()),
                        ("due_at", models.DateTimeField(null=True)),
                        ("tries", models.PositiveIntegerField(default=0)),
                        (
                            "match",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="events",
                                to="games.match",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "default_permissions": ("view",),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="event_due",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", True)),
                                fields=["at"],
                                name="event_done",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "version"), name="one_event_per_version"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SignSearch",
                    fields=[
                        (
                            "match",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="sign_search",
                                serialize=False,
                                to="games.match",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("due_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "default_permissions": (),
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="sign_search_due",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", True)),
                                fields=["at"],
                                name="sign_search_done",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
