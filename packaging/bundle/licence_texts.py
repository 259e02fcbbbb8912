"""Where the texts of the licences of what is in a bundle lie."""

import re
from importlib.metadata import Distribution
from pathlib import Path

OF_DISTRIBUTION = re.compile(r"(licen[cs]e|copying|notice|authors|copyright)", re.IGNORECASE)
FORMS = {"", ".txt", ".md", ".rst", ".apache", ".bsd", ".mit", ".psf"}
"""Endings of texts; `license.py` is none."""
KEPT = Path(__file__).with_name("licences")
"""Of what brings none along: by its own name, else the text that its licence's name stands for."""
APACHE = Path(__file__).resolve().parents[2] / "LICENSE"


def texts_of(distribution: Distribution, licence: str) -> dict[str, Path]:
    """The texts of a package of the index, by what each is called in the bundle.

    Args:
        distribution: the package.
        licence: by name.
    """
    found = {
        "-".join(part for part in each.parts if "dist-info" not in part and part != "licenses"): each
        for each in distribution.files or ()
        if is_text(each.name) or ("licenses" in each.parts and "dist-info" in each.parts[0])
    }
    if found:
        return {name: Path(str(distribution.locate_file(each))) for name, each in found.items()}
    # One name however it is spelled: what builds a wheel writes `_` or `-`.
    if (own := KEPT / f"{re.sub('[-_.]+', '-', distribution.name).lower()}.txt").is_file():
        return {own.name: own}
    if "apache" in licence.lower():
        return {"Apache-2.0.txt": APACHE}
    return {each.name: each for each in sorted(KEPT.iterdir()) if each.stem in licence}


def is_text(name: str) -> bool:
    """Whether a file of that name is one."""
    return OF_DISTRIBUTION.search(name) is not None and Path(name).suffix.lower() in FORMS
