"""A real model behind llama.cpp's own server, in a process beside the tests.

The tests run where LEXGYM_TEST_GGUF names a GGUF file and `xllamacpp` can be imported by the Python that
LEXGYM_TEST_PYTHON names, by default the one that runs the tests. Without them they are skipped.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

import pytest

SERVER = Path(__file__).with_name("serve.py")
START = 120.0
"""Seconds until the model has to be loaded."""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The address of the server; the model is called `local`."""
    gguf = os.environ.get("LEXGYM_TEST_GGUF", "")
    if not Path(gguf).is_file():
        pytest.skip("LEXGYM_TEST_GGUF names no GGUF file, so that no local model is tried")
    python = os.environ.get("LEXGYM_TEST_PYTHON", sys.executable)
    found = subprocess.run([python, "-c", "import xllamacpp"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"{python} cannot import xllamacpp, so that no local model is tried")
    command, quiet = [python, str(SERVER), gguf], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True) as server:
        try:
            assert server.stdout is not None
            yield _address(server.stdout)
        finally:
            server.terminate()


def _address(output: IO[str]) -> str:
    lines: Queue[str] = Queue()

    def read() -> None:
        for line in output:
            lines.put(line)

    Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=START)
        except Empty:
            pytest.fail(f"the local model was not loaded within {START:g} s")
        if line.startswith("http://"):
            return line.strip()
