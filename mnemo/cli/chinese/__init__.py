"""The Chinese of all that a person reads at a shell, by its English: what commands say, and what the memory says."""
