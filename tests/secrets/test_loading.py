"""The rules: where they come from, in which thread, and what loading them does to a process."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from bigmind.secrets import libraries
from bigmind.secrets.labels import kind_of_rule
from bigmind.secrets.masking import mask, warm
from bigmind.secrets.prefixes import prefix_findings
from tests.secrets.benign import benign
from tests.secrets.samples import samples

LOADED = """
import os, signal, sys
asked = []
OWN_NAME = "socket.gethostname"  # platform.system() asks this machine for it on Windows, and nobody else
sys.addaudithook(lambda event, _: asked.append(event) if event.startswith(("socket.", "urllib.")) else None)
from bigmind.secrets.masking import mask, warm
from bigmind.secrets.prefixes import prefix_findings
assert "betterleaks" not in sys.modules and "detect_secrets" not in sys.modules, "loaded at import"
warm()
assert mask("password: hunter2, AKIAQ3EGRZ7PVLD2XYTM and https://ada:s3cr3tpw@db.internal").kinds
assert not set(asked) - {OWN_NAME}, asked
assert not {"requests", "urllib3"} & set(sys.modules), "what could ask a service is loaded"
if os.path.isdir("/proc/self/fd"):
    open_now = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd") if name.isdigit()
                and os.path.islink(f"/proc/self/fd/{name}")]
    assert not [link for link in open_now if link.startswith("socket:")], open_now
signal.signal(signal.SIGTERM, lambda *_: print("asked to stop"))
signal.raise_signal(signal.SIGTERM)
print("loaded")
import requests
assert requests.get.__module__.startswith("requests."), "who imports requests later gets something else"
"""


def test_loading_asks_no_network_and_leaves_signals_to_the_server():
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=120, check=False)
    assert (run.returncode, run.stdout.split("\n")[:2]) == (0, ["asked to stop", "loaded"]), run.stderr


def test_both_libraries_are_used_where_both_are_installed():
    pytest.importorskip("betterleaks")
    assert len(libraries.library_finders()) == 2


def test_without_betterleaks_vendors_are_known_by_their_letters(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "betterleaks", None)  # as where it has no build: its import fails
    libraries._betterleaks_scan.cache_clear()
    finder = libraries.betterleaks_finder() or prefix_findings
    assert [found.kind for found in finder("use pul-" + "0a1b2c3d4e" * 4 + " as a key")] == ["Pulumi API token"]
    assert mask("use ghp_16C7e42F292c6912E7710c838347Ae178B4a there").kinds == ("GitHub token",)
    libraries._betterleaks_scan.cache_clear()


RARELY = """
import sys
from bigmind.secrets.masking import mask, warm
from bigmind.secrets.prefixes import prefix_findings
warm()
for note in (
    "commit 3f2a9c1b7d8e4f5a6b7c8d9e0f1a2b3c4d5e6f70 fixed tests/store/test_kill9.py",
    "Run 123e4567-e89b-12d3-a456-426614174000 took 12 minutes on worker-12.",
    "We use PostgreSQL 16 and keep the pool at 20 connections.",
):
    assert mask(note).kinds == ()
print("betterleaks" in sys.modules)
mask("It logged pul-" + "0a1b2c3d4e" * 4 + " as its access key.")
print("betterleaks" in sys.modules)
"""


def test_the_large_library_is_loaded_only_when_a_text_may_hold_a_token():
    pytest.importorskip("betterleaks")
    run = subprocess.run([sys.executable, "-c", RARELY], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.split() == ["False", "True"]


def test_a_rule_of_betterleaks_finds_what_no_other_knows():
    pytest.importorskip("betterleaks")
    assert mask("use lin_oauth_x and pul-" + "0a1b2c3d4e" * 4 + " there").text == (
        "use lin_oauth_x and [masked: Pulumi API token] there"
    )


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("github-pat", "GitHub token"),
        ("sentry-org-token", "Sentry org token"),
        ("tableau-server-host.1", None),
        ("azure-tenant-id", None),
        ("openai-api-key", "OpenAI API key"),
    ],
)
def test_a_rule_is_named_in_a_persons_words(rule: str, kind: str | None):
    assert kind_of_rule(rule) == kind


def test_threads_find_what_one_finds_alone():
    texts = [sample.written for sample in samples(seed=4, number=4)] + benign(4, 150)
    warm()
    alone = [mask(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for results in pool.map(lambda _: [mask(text) for text in texts], range(8)):
            assert results == alone
