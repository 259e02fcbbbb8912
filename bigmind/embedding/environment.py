"""What the embedder's process, and the one that downloads, get to see of the environment."""

import os
from collections.abc import Iterable
from pathlib import Path

NEEDED = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"),
    *("NUMBER_OF_PROCESSORS", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "VIRTUAL_ENV"),
    "__PYVENV_LAUNCHER__",
)
FAMILIES = ("LC_", "PYTHON", "COVERAGE", "COV_CORE_", "PROCESSOR_", "_PYI_")
"""Beginnings of names: the language, Python's own settings, what measures tests, the processor, a frozen program."""
FOR_DOWNLOADS = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    *("HF_ENDPOINT", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_ETAG_TIMEOUT"),
)
"""How the network is reached; nobody's token of Hugging Face."""


def offline_environment(models: Path) -> dict[str, str]:
    """The environment of a process that loads models and reaches no network; nobody's secrets are in it.

    Args:
        models: the folder of downloaded models.
    """
    folder = str(models)
    return {
        **_kept(NEEDED),
        "FASTEMBED_CACHE_PATH": folder,
        "HF_HOME": folder,
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_XET": "1",  # it keeps chunks of its own, and counts no progress
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime tells Microsoft of its use otherwise, from 1.31 on
        "DO_NOT_TRACK": "1",
        "TQDM_DISABLE": "1",
        "LOGURU_AUTOINIT": "0",
        "OMP_WAIT_POLICY": "PASSIVE",
        "MALLOC_ARENA_MAX": "1",  # glibc else keeps for each thread what that thread once used: 50 to 100 MB
    }


def downloading_environment(models: Path) -> dict[str, str]:
    """The same for the one process that may reach the network: somebody said yes to a download."""
    return {**offline_environment(models), **_kept(FOR_DOWNLOADS), "HF_HUB_OFFLINE": "0"}


def _kept(names: Iterable[str]) -> dict[str, str]:
    """Variables of this process, their names in whatever case: proxies are written in both, Windows knows none."""
    return {
        name: value for name, value in os.environ.items() if name.upper() in names or name.upper().startswith(FAMILIES)
    }
