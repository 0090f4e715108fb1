"""Which appends must look at their log first, and set its lifetime anew."""

import time
from collections import OrderedDict
from dataclasses import dataclass

from server.store.port import Lifetime, TableId
from server.store.settings import StoreSettings

_MOST_NOTED = 20_000


@dataclass(slots=True)
class _Noted:
    version: int
    lifetime: Lifetime
    due: float


class Renewals:
    """What this process knows about the logs that it wrote last.

    An append need only be compared with the last version when this process stored the version
    before it on the same connection: then no other process can have changed the lifetime, and the
    store cannot have lost an entry. What is forgotten is merely looked at again.
    """

    def __init__(self, settings: StoreSettings) -> None:
        self._settings = settings
        self._noted: OrderedDict[TableId, _Noted] = OrderedDict()

    def due(self, table: TableId, version: int, lifetime: Lifetime) -> bool:
        """Whether this append has to look at the log, and renew its lifetime."""
        noted = self._noted.get(table)
        if noted is None or noted.version != version - 1 or noted.lifetime is not lifetime:
            return True
        return time.monotonic() >= noted.due

    def stored(self, table: TableId, version: int, lifetime: Lifetime, *, renewed: bool) -> None:
        """Notes that this process stored an entry, and whether the lifetime began anew with it."""
        noted = self._noted.pop(table, None)
        if renewed or noted is None:
            # A tenth of the lifetime may be missing from it: what is kept for 14 days is kept for at least 12.6.
            due = time.monotonic() + self._settings.lifetime(lifetime) / 10_000
            noted = _Noted(version, lifetime, due if renewed else 0.0)
        noted.version = version
        self._noted[table] = noted
        if len(self._noted) > _MOST_NOTED:
            self._noted.popitem(last=False)

    def forget(self, table: TableId) -> None:
        """The next append to this log looks at it."""
        self._noted.pop(table, None)

    def forget_all(self) -> None:
        """The next append to any log looks at it: the store may have lost entries."""
        self._noted.clear()
