"""The units that `install_service` shows. tests/config/deploy/test_readme.py installs them."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import install_service


def show(*words: str) -> tuple[str, str]:
    output, errors = io.StringIO(), io.StringIO()
    call_command("install_service", "--show", *words, stdout=output, stderr=errors)
    return output.getvalue(), errors.getvalue()


def test_it_shows_units_for_this_folder_and_changes_nothing(tmp_path: Path) -> None:
    units, told = show("--user", "teacher", "--host", "127.0.0.1", "--folder", str(tmp_path))
    assert "Nothing has changed" in told
    assert list(tmp_path.iterdir()) == []
    assert units.count("User=teacher\n") == 2
    assert "manage.py serve --host 127.0.0.1\n" in units
    assert "manage.py backup --keep 14\n" in units
    assert "OnCalendar=" in units
    assert "/srv/parlour" not in units
    assert "/var/lib/parlour" not in units
    assert "EnvironmentFile=-/etc/parlour.env\n" in units


def test_a_folder_in_a_home_is_not_hidden_from_its_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = install_service.settings.BASE_DIR
    assert "ProtectHome=yes" in show()[0]
    monkeypatch.setattr(install_service, "_HOMES", (f"{root.parent}/",))
    assert "ProtectHome=read-only" in show()[0]


def test_spaces_and_percent_signs_in_paths_are_quoted() -> None:
    assert install_service._quote("/home/a b/100%") == '"/home/a b/100%%"'
    assert install_service._quote("/srv/parlour") == "/srv/parlour"


def test_root_and_another_user_than_before_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="belongs to root"):
        install_service._must_be_allowed("root", tmp_path / "unit", None)
    with pytest.raises(CommandError, match="no user"):
        install_service._must_be_allowed("nobody-of-this-name", tmp_path / "unit", None)
    (tmp_path / "unit").write_text("[Service]\nUser=parlour\n")
    with pytest.raises(CommandError, match="--user parlour"):
        install_service._must_be_allowed("nobody", tmp_path / "unit", None)
    install_service._must_be_allowed("nobody", tmp_path / "unit", "nobody")
