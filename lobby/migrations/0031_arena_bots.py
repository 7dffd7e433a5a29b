from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0030_class_login"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="bots",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
