"""What a bundle is made of: the licences of all that it holds, and a bill of materials (CycloneDX 1.6)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from platform import python_version
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from licence_texts import texts_of
from packageurl import PackageURL

OWN = "bigmind"
BILL = "bigmind.cdx.json"


@dataclass(order=True)
class Material:
    """Something that is in a bundle.

    Attributes:
        name: of it.
        version: of it.
        kind: as in a package URL: `pypi`, `deb` or `generic`.
        licence: by name, an expression where its metadata has one.
        texts: files that hold its licence, by what they are called in the bundle.
    """

    name: str
    version: str
    kind: str = "pypi"
    licence: str = ""
    texts: dict[str, Path] = field(default_factory=dict[str, Path], compare=False)


def write_materials(origins: dict[str, dict[str, str]], stage: Path, bundle: Path) -> list[Material]:
    """Write the licences and the bill into a bundle.

    Args:
        origins: where each of its files and modules came from, by bundle.spec.
        stage: where BigMind's own lay.
        bundle: its folder.
    """
    sources = [*origins["modules"].values(), *origins["files"].values()]
    found = sorted({each.name: each for each in materials(sources, stage)}.values())
    if unclear := [each.name for each in found if not each.texts]:
        sys.exit(
            f"The text of the licence is missing of: {', '.join(unclear)}. It belongs into packaging/bundle/licences."
        )
    write_licences(found, bundle / "licenses")
    told = bill(found)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(told):
        sys.exit(f"The bill of materials is none by its own schema: {fault.data}")
    (bundle / BILL).write_text(told, encoding="utf-8")
    return found


def materials(sources: list[str], stage: Path) -> Iterator[Material]:
    """What files come from; packages of the system may be named several times."""
    there = distributions(path=[*sys.path, str(stage)])
    places = {os.path.normpath(each.locate_file(file)): each for each in there for file in each.files or ()}
    of_index: dict[str, Distribution] = {}  # looked into once each: one may have thousands of files
    yield python_itself()
    for source in {os.path.normpath(each) for each in sources}:
        if (distribution := places.get(source)) is not None:
            of_index[distribution.name] = distribution
        elif source.startswith(("/lib/", "/usr/lib/")) and shutil.which("dpkg-query"):
            yield from of_system(source)
    yield from map(of_distribution, of_index.values())


def python_itself() -> Material:
    """Python, whose licence lies beside its library, in its system package, or on Windows beside its program."""
    library = Path(os.__file__).parent
    places = (library / "LICENSE.txt", library.parent.parent / "LICENSE.txt", Path(sys.base_prefix, "LICENSE.txt"))
    texts = {each.name: each for each in places if each.is_file()}
    return Material("cpython", python_version(), "generic", "Python-2.0", texts)


def of_distribution(distribution: Distribution) -> Material:
    """A package of the index."""
    about = distribution.metadata
    licence = about.get("License-Expression") or one_line(about.get("License") or "").replace("UNKNOWN", "")
    if not licence:
        named = [
            each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if each.startswith("License ::")
        ]
        licence = ", ".join(named)
    return Material(distribution.name, distribution.version, "pypi", licence, texts_of(distribution, licence))


def of_system(source: str) -> Iterator[Material]:
    """The package of Debian or Ubuntu that a library comes from."""
    # Through the links: dpkg knows a library by one of its places.
    for place in dict.fromkeys((source, os.path.realpath(source), source.removeprefix("/usr"))):
        asked = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            name = asked.stdout.partition(":")[0]
            version = subprocess.run(
                ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=True
            ).stdout
            text = Path("/usr/share/doc") / name / "copyright"
            yield Material(name, version, "deb", "see its copyright file", {text.name: text} if text.is_file() else {})
            return


def one_line(licence: str) -> str:
    """The name of a licence; whole texts stand there too."""
    return licence if "\n" not in licence.strip() and len(licence) < 80 else ""  # noqa: PLR2004 - no name is longer


def write_licences(found: list[Material], folder: Path) -> None:
    """A folder for each that has a text, and a list of all."""
    for each in found:
        for name, text in each.texts.items():
            target = folder / f"{each.name}-{each.version}" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, target)
    rows = [f"| {each.name} | {each.version} | {each.licence or 'see its folder'} |" for each in found]
    lines = ["# What this BigMind is made of", "", "| part | version | licence |", "| --- | --- | --- |", *rows, ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text("\n".join(lines), encoding="utf-8")


def bill(found: list[Material]) -> str:
    """The bill of materials; the same for the same materials."""
    licences = LicenseFactory()

    def component(each: Material) -> Component:
        return Component(
            type=ComponentType.APPLICATION if each.name == OWN else ComponentType.LIBRARY,
            name=each.name,
            version=each.version,
            bom_ref=f"{each.kind}:{each.name}@{each.version}",
            purl=PackageURL(each.kind, "debian" if each.kind == "deb" else None, each.name, each.version),
            licenses=[licences.make_from_string(each.licence)] if each.licence else [],
        )

    made = Bom(components=[component(each) for each in found if each.name != OWN])
    [own] = [each for each in found if each.name == OWN]
    made.metadata.component = component(own)
    made.register_dependency(made.metadata.component, made.components)
    made.metadata.timestamp = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "1767225600")), UTC)
    made.serial_number = uuid5(NAMESPACE_URL, repr([(each.name, each.version) for each in found]))
    return JsonV1Dot6(made).output_as_string(indent=1)
