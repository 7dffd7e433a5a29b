"""The list of faults fits the code; `tests/bench/faults.py` itself runs the tests that it names."""

from pathlib import Path

import pytest

from tests.bench.faults import FAULTS, Fault, find_problems

MODULE = "def double(number):\n    return 2 * number\n"
TESTS = "def test_double():\n    assert double(3) == 6\n"
FAULT = Fault("adds", "double.py", "2 * number", "2 + number", ("test_double.py::test_double",))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with one module and its test."""
    (tmp_path / "double.py").write_text(MODULE)
    (tmp_path / "test_double.py").write_text(TESTS)
    return tmp_path


def test_the_faults_fit_the_code() -> None:
    assert find_problems(FAULTS) == []


def test_a_fault_that_fits_has_no_problem(root: Path) -> None:
    assert find_problems([FAULT], root) == []


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"old": "3 * number"}, "contains the old text 0 times"),
        ({"old": "number"}, "contains the old text 2 times"),
        ({"new": "2 * number"}, "the new text is the old text"),
        ({"new": "2 *"}, "the new text is a syntax error"),
        ({"path": "triple.py"}, "triple.py does not exist"),
        ({"tests": ()}, "no test is named"),
        ({"tests": ("test_triple.py::test_double",)}, "test_triple.py does not exist"),
        ({"tests": ("test_double.py::test_triple",)}, "no function 'test_triple'"),
        ({"tests": ("test_double.py",)}, "no function ''"),
    ],
)
def test_a_stale_fault_is_reported(root: Path, changed: dict[str, str], problem: str) -> None:
    (found,) = find_problems([FAULT._replace(**changed)], root)
    assert found.startswith("adds: ")
    assert problem in found


def test_a_name_is_used_once(root: Path) -> None:
    assert find_problems([FAULT, FAULT], root) == ["adds: used twice"]
