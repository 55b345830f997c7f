"""What is found in facts and kept beside them: terms, names, warnings, taught words; mnemo.index keeps it in step."""
