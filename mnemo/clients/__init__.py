"""The assistants that mnemo connects to: where each keeps its servers, and how its file is changed without harm."""
