"""What a search is made of: places in the index, what is remembered of them, candidates; and facts like a new one."""
