"""The evaluation of retrieval: real questions over real memories, for mnemo and for plain baselines."""
