"""The memory file itself: connections, transactions, rights, upgrades, and files that are damaged or foreign."""
