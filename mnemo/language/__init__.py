"""Word lists, patterns and small forms of both languages: what the tokenizer, names, queries and safety are made of."""
