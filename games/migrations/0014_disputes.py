from django.db import migrations, models
from django.db.models import Max, OuterRef, Q, Subquery

SOME = 500  # cases that are filled at once


def fill(apps, schema_editor):
    """Note the disputes that there are: reports made after a decision on their match."""
    case, decision = apps.get_model("games", "Case"), apps.get_model("games", "Decision")
    report = apps.get_model("games", "Report")
    decided = decision.objects.filter(match=OuterRef("case__match"), player=None).order_by("at")
    late = (
        report.objects.annotate(decided_at=Subquery(decided.values("at")[:1]))
        .filter(at__gt=models.F("decided_at"))
        .order_by()
        .values_list("case")
        .annotate(disputed_at=Max("at"))
    )
    disputed = [case(pk=pk, disputed_at=at) for pk, at in late]
    case.objects.bulk_update(disputed, ["disputed_at"], batch_size=SOME)


class Migration(migrations.Migration):
    """When a report came after a decision is stored with its case, so that a list finds them all."""

    dependencies = [('games', '0013_callers')]

    operations = [
        migrations.AddField(
            model_name="case",
            name="disputed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                condition=Q(("disputed_at__isnull", False)),
                fields=["disputed_at"],
                name="disputed_cases",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=Q(("kind", "reverse")), fields=["at", "id"], name="reversal_by_age"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
