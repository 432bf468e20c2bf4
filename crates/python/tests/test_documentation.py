"""Docstrings, stubs and types."""

import doctest
import importlib
import inspect
import subprocess
import sys

import pytest
from conftest import ROOT

import treegraft as tg
from treegraft import _treegraft

MODULES = ["treegraft", "treegraft._api", "treegraft._results", "treegraft._tables", "treegraft.openspiel"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


def test_examples_in_docstrings_of_the_rust_part():
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=FLAGS)
    for name in ["Game", "Position", "game", "register_game"]:
        thing = getattr(_treegraft, name)
        tests = finder.find(thing, name, globs={})
        if inspect.isclass(thing):
            for member in vars(thing):
                tests += finder.find(getattr(thing, member), f"{name}.{member}", globs={})
        for test in tests:
            runner.run(test)
    assert runner.failures == 0 and runner.tries > 15


def test_examples_in_the_documentation():
    result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 20


def test_everything_public_has_a_docstring():
    for name in tg.__all__:
        thing = getattr(tg, name)
        if callable(thing) or inspect.ismodule(thing):
            assert thing.__doc__, name
    for class_ in [tg.Position, tg.Game]:
        for name, member in vars(class_).items():
            if not name.startswith("_"):
                assert member.__doc__, f"{class_.__name__}.{name}"


def test_the_stub_is_the_module():
    """Whatever the module has, the stub has, with the same parameters; and the other way round."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "treegraft._treegraft"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_strict():
    """mypy --strict on the package, its stub and the examples."""
    settings = ROOT / "crates" / "python" / "pyproject.toml"
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(settings)]
    for what in [["-p", "treegraft"], [str(ROOT / "examples" / "python")]]:
        done = subprocess.run([*mypy, *what], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_free_threaded_python_is_refused():
    code = (
        "import sysconfig\n"
        "real = sysconfig.get_config_var\n"
        "sysconfig.get_config_var = lambda name: 1 if name == 'Py_GIL_DISABLED' else real(name)\n"
        "try:\n    import treegraft\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "does not support free-threaded Python" in done.stdout
