from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0025_username_message"),
    ]

    operations = [
        migrations.AddField(
            model_name="server",
            name="players",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
