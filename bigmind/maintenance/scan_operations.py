"""The operation that looks for secrets in what is stored."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import FOR_PEOPLE, Effect
from bigmind.maintenance.scan_answers import SecretScan
from bigmind.maintenance.secret_scan import scan_secrets
from bigmind.operations.catalogue import operation
from bigmind.store.access import Access


@operation(
    "Scan for secrets",
    Effect.DESTRUCTIVE,
    toolset="secrets",
    idempotent=True,
    people_only=True,
    takes_access=True,
    surfaces=FOR_PEOPLE,
)
def secrets_scan(
    access: Access, mask: Annotated[bool, Field(description="Replace them in place, for good.")] = False
) -> SecretScan:
    """Look for keys, tokens and passwords in all that is remembered; says where and of which kind, never what."""
    return scan_secrets(access, replace=mask)


OPERATIONS = (secrets_scan,)
