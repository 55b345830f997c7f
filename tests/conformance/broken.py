"""All the mistakes in the minimal implementation that the suite must notice."""

from tests.conformance.asking_mistakes import ASKING_MISTAKES
from tests.conformance.finer_mistakes import FINER_MISTAKES
from tests.conformance.keeping_mistakes import KEEPING_MISTAKES
from tests.conformance.learning_mistakes import LEARNING_MISTAKES
from tests.conformance.mistake import MINIMAL, Mistake
from tests.conformance.search_mistakes import SEARCH_MISTAKES
from tests.conformance.storing_mistakes import STORING_MISTAKES
from tests.conformance.subtle_mistakes import SUBTLE_MISTAKES

MISTAKES = [
    *SEARCH_MISTAKES,
    *LEARNING_MISTAKES,
    *KEEPING_MISTAKES,
    *FINER_MISTAKES,
    *STORING_MISTAKES,
    *ASKING_MISTAKES,
    *SUBTLE_MISTAKES,
]

__all__ = ["MINIMAL", "MISTAKES", "Mistake"]
