"""The operation that looks for secrets in what is stored."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect
from bigmind.maintenance.scan_answers import SecretScan
from bigmind.maintenance.secret_scan import scan_secrets
from bigmind.operations.catalogue import for_people
from bigmind.store.access import Access


@for_people("Scan for secrets", Effect.DESTRUCTIVE, toolset="secrets", idempotent=True, takes_access=True)
def secrets_scan(
    access: Access, mask: Annotated[bool, Field(description="Replace them in place, for good.")] = False
) -> SecretScan:
    """Look for keys, tokens and passwords in all that is remembered; says where and of which kind, never what."""
    return scan_secrets(access, replace=mask)


OPERATIONS = (secrets_scan,)
