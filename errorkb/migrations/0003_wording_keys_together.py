from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("errorkb", "0002_match_and_standing"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="wording", name="wording_key"),
        migrations.RemoveIndex(model_name="wording", name="wording_check_key"),
        migrations.AddIndex(model_name="wording", index=models.Index(fields=["key", "check_key"], name="wording_keys")),
        migrations.AddIndex(
            model_name="wording", index=models.Index(fields=["check_key", "key"], name="wording_check_keys")
        ),
    ]
