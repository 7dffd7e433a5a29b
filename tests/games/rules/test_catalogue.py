"""Games that are added while the site runs."""

import threading

import pytest

from games.rules import Catalogue


def test_an_added_entry_comes_last() -> None:
    catalogue = Catalogue({"b": 1})
    catalogue.add("a", 2)
    assert list(catalogue.items()) == [("b", 1), ("a", 2)]
    assert "a" in catalogue
    assert len(catalogue) == 2


def test_a_slug_is_given_once() -> None:
    catalogue = Catalogue({"a": 1})
    with pytest.raises(ValueError, match="already a game 'a'"):
        catalogue.add("a", 2)
    assert catalogue["a"] == 1


def test_readers_may_iterate_while_another_thread_adds() -> None:
    catalogue = Catalogue({"start": 0})

    def add() -> None:
        for number in range(2000):
            catalogue.add(f"game-{number}", number)

    thread = threading.Thread(target=add)
    thread.start()
    while thread.is_alive():
        seen = dict(catalogue.items())
        assert seen["start"] == 0
    thread.join()
    assert len(catalogue) == 2001
