"""Memory: who holds which bytes, from when to when."""

from __future__ import annotations

from .account import Account, account
from .ledger import CATEGORIES, Block, Event, Moment

__all__ = ["CATEGORIES", "Account", "Block", "Event", "Moment", "account"]
