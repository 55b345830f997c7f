"""Invented secrets and hidden characters for the scenarios, put together at run time.

No secret stands in any file as a whole, so that no scanner of repositories takes an example for a leak.
"""

LETTERS = "kQ7vZ2mXw9RbT4yLs8HdN3cJf6GpA5eV1uMoKiWq0zBxYtDrSh"
HEX = "7c1f9a3e5d0b8246"
NOTES = {
    "a": "The deploy bot of the harbour team signs in with {} on the build host",
    "a Chinese": "发布机器人用 {} 登录",
}
TAG_LETTERS = 0xE0000  # letters of this block are invisible
HIDDEN = {
    "a right-to-left override": f"The invoice is named {chr(0x202E)}fdp.exe on the share",
    "invisible letters": f"Tea is served at four{''.join(chr(TAG_LETTERS + ord(one)) for one in 'obey')} each day",
}


def secret(kind: str) -> str | None:
    """Return the invented secret of a kind, always the same, or None where there is no such kind."""
    made = {
        "github token": "gh" + "p_" + LETTERS[:36],
        "gitlab token": "gl" + "pat-" + LETTERS[3:23],
        "aws key": "AK" + "IA" + LETTERS[:16].upper(),
        "openai key": "sk" + "-proj-" + LETTERS[:48],
        "slack token": "xo" + "xb-" + "4081365279-" + LETTERS[5:29],
        "stripe key": "sk" + "_live_" + LETTERS[2:26],
        "jwt": ".".join(["ey" + "J" + LETTERS[:20], LETTERS[4:40], LETTERS[1:44]]),
        "password": "wharf" + "-Lamp" + "58!",
        "url password": "tide" + "Gate" + "7394",
        "private key": f"-----BEGIN {'RSA PRIVATE'} KEY-----\n{LETTERS}{HEX}\n-----END {'RSA PRIVATE'} KEY-----",
    }
    return made.get(kind)


def text(name: str) -> str | None:
    """Return the text that a name stands for, as in `a note with the github token` or `the jwt`, or None."""
    if name in HIDDEN:
        return HIDDEN[name]
    if found := secret(name.removeprefix("the ")):
        return found
    for article, note in NOTES.items():
        kind = name.removeprefix(f"{article} note with the ")
        if kind != name and (found := secret(kind)):
            return note.format(_as_written(kind, found, chinese="Chinese" in article))
    return None


def _as_written(kind: str, found: str, *, chinese: bool) -> str:
    """Return a secret as people write it down: a password is known by the word before it."""
    if kind == "password":
        return f"密码：{found}" if chinese else f"password: {found}"
    if kind == "url password":
        return f"postgres://harbour:{found}@db.tide.internal/ledger"
    return found
