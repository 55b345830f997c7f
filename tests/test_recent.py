"""What was asked of the last few texts is not worked out again; what is long is not kept in memory."""

from mnemo.language import recent
from mnemo.language.recent import remembered


def test_the_last_few_texts_are_worked_out_once() -> None:
    asked: list[str] = []

    @remembered
    def upper(text: str) -> str:
        """Say it louder."""
        asked.append(text)
        return text.upper()

    texts = [f"text {number}" for number in range(recent.LAST_TEXTS)]
    assert [upper(text) for text in [*texts, *texts]] == [text.upper() for text in [*texts, *texts]]
    assert asked == texts
    upper("one more")
    upper(texts[0])
    assert asked == [*texts, "one more", texts[0]]
    assert upper.__doc__ == "Say it louder."


def test_a_long_text_is_not_remembered() -> None:
    asked: list[int] = []

    @remembered
    def length(text: str) -> int:
        asked.append(len(text))
        return len(text)

    for size in (recent.LONGEST, recent.LONGEST + 1):
        assert [length("x" * size), length("x" * size)] == [size, size]
    assert asked == [recent.LONGEST, recent.LONGEST + 1, recent.LONGEST + 1]
