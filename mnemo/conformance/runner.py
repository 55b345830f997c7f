"""Run the chosen scenarios against a server, several at a time, and judge what came of each."""

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from mnemo.conformance.catalogue import Case, all_cases
from mnemo.conformance.driver import SHOWN, CommandError, DriverError, NeverAnsweredError
from mnemo.conformance.engine import Failure, StepBook, Timed, timed
from mnemo.conformance.known import is_explained
from mnemo.conformance.offers import partition, unknown_claims
from mnemo.conformance.pool import Offer, Servers
from mnemo.conformance.wire import END_SECONDS

CORE, FULL = "core", "full"
BESIDE = 2  # scenarios that mostly wait are run so many at a time beside the others, if others may run at a time
LEAST_OF_ONE_CAUSE = 10  # failures that are alike
MOST_TRIES = 3  # starts of a server that ends before it answers; one that does not answer is started twice
OUTLIVES = (
    f"the server goes on when its stdin is closed, which is how clients end it, and was ended by force {END_SECONDS:g} "
    "seconds later"
)


class Verdict(Enum):
    """What came of a scenario; the values are the words of the reports."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warning"
    KNOWN = "known failure"
    MENDED = "listed as a known failure, and passes"
    NOT_OFFERED = "not offered"


FAILING = frozenset({Verdict.FAILED, Verdict.MENDED})


@dataclass(frozen=True)
class Outcome:
    """What came of one scenario."""

    case: Case
    verdict: Verdict
    seconds: float = 0.0
    failure: Failure | None = None
    reason: str = ""
    home: Path | None = None
    is_told: bool = False  # the same failure has been shown with an earlier scenario


@dataclass(frozen=True)
class Selection:
    """What the user chose by names and capabilities, out of how many scenarios."""

    names: Sequence[str]
    capabilities: Sequence[str]
    of: int


@dataclass(frozen=True)
class Plan:
    """What is to be run, and how; without a selection it is all that the profile has."""

    command: Sequence[str]
    cases: Sequence[Case]
    profile: str | None = None
    selection: Selection | None = None
    jobs: int = 1
    timeout: float = 30.0
    environment: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    known_file: Path | None = None
    fail_fast: bool = False
    keep: bool = False
    always_fresh: bool = False

    @property
    def chosen(self) -> list[Case]:
        """Return the cases that belong to the profile."""
        return [case for case in self.cases if self.profile != CORE or case.is_core]

    @property
    def takes_all(self) -> bool:
        """Tell whether what no list could show is run too: with the profile `full`, and of what was chosen."""
        return self.profile == FULL or bool(self.profile is None and self.selection)


@dataclass(frozen=True)
class Result:
    """What came of a run: an outcome for each case, in the order of the specification."""

    outcomes: list[Outcome]
    seconds: float
    starts: int
    is_whole: bool = True
    is_interrupted: bool = False
    left_out: int = 0  # scenarios of the profile `full` that were not asked for and are not offered
    notes: Sequence[str] = ()  # what an implementer should know beside the scenarios

    @property
    def conforms(self) -> bool:
        """Tell whether all was run, nothing fails that is not known, and nothing passes that is listed as failing."""
        return self.is_whole and bool(self.ran) and not any(one.verdict in FAILING for one in self.outcomes)

    @property
    def ran(self) -> list[Outcome]:
        """Return the outcomes of the scenarios that were run."""
        return [outcome for outcome in self.outcomes if outcome.verdict is not Verdict.NOT_OFFERED]

    @property
    def unexplained(self) -> int:
        """Return how many known failures have no reason but that they failed."""
        return sum(outcome.verdict is Verdict.KNOWN and not is_explained(outcome.reason) for outcome in self.outcomes)

    @property
    def one_cause(self) -> str:
        """Return in a sentence why nearly all fails that fails, where that is one and the same; else an empty text."""
        unknown = [one for one in self.outcomes if one.verdict in (Verdict.FAILED, Verdict.WARNED)]
        failures = [outcome.failure for outcome in unknown if outcome.failure]
        sentences = Counter(failure.sentence.partition("\n")[0] for failure in failures)
        sentence, times = max(sentences.items(), key=lambda one: one[1], default=("", 0))
        is_one = times >= LEAST_OF_ONE_CAUSE and 2 * times > len(self.ran)
        return f"{times} of {len(self.ran)} scenarios failed for one cause: {sentence}" if is_one else ""

    def count(self, verdict: Verdict) -> int:
        """Return how many scenarios have a verdict."""
        return sum(outcome.verdict is verdict for outcome in self.outcomes)


def run(plan: Plan, tell: Callable[[Outcome, int], None]) -> Result:
    """Run a plan; `tell` hears each outcome, and how many are to come in all, as soon as there is one.

    Ctrl-C ends the run, whose result then holds what came until then.

    Raises:
        CommandError: the server's command cannot be started, or ends at every start before it answers anything.
    """
    return _Run(plan, tell).go()


class _Run:
    def __init__(self, plan: Plan, tell: Callable[[Outcome, int], None]) -> None:
        self.plan = plan
        self.tell = tell
        self.steps = StepBook()
        self.servers = Servers(plan.command, plan.environment, plan.timeout, always_fresh=plan.always_fresh)
        self.outcomes: dict[str, Outcome] = {}
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.total = 0
        self.left_out = 0
        self.notes: list[str] = []
        self.trouble: BaseException | None = None

    def go(self) -> Result:
        began = time.monotonic()
        is_interrupted = False
        try:
            self._all()
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            self.is_over.set()
            self.servers.close()
        if self.trouble:
            raise self.trouble
        ordered = [self.outcomes[case.name] for case in self.plan.cases if case.name in self.outcomes]
        is_whole = len(ordered) == self.total + sum(one.verdict is Verdict.NOT_OFFERED for one in ordered)
        notes = [*self.notes, *([OUTLIVES] if self.servers.has_outlived_stdin else [])]
        seconds = time.monotonic() - began
        return Result(ordered, seconds, self.servers.starts, is_whole, is_interrupted, self.left_out, notes)

    def _all(self) -> None:
        cases = self.plan.chosen
        self.total = len(cases)
        try:
            offer = self._introduced()
        except CommandError:
            raise
        except DriverError as error:
            failure = Failure(None, f"no scenario could be run: {error.sentence}", error.messages, error.stderr, True)
            cases = [case for case in cases if case.is_core or self.plan.takes_all]
            self.total = len(cases)
            for number, case in enumerate(cases):
                self._judge(case, Timed(failure, 0.0), None, is_told=number > 0)
            return
        to_run, missing = partition(cases, offer, all_of_it=self.plan.takes_all)
        self.total = len(to_run)
        if self.plan.takes_all:
            for case in missing:
                self._keep(Outcome(case, Verdict.NOT_OFFERED))
        else:
            self.left_out = len(missing)
        self.notes = unknown_claims(all_cases(), offer)
        beside = [case for case in to_run if case.mostly_waits and self.plan.jobs > 1]
        workers = self._workers([case for case in to_run if case not in beside], self.plan.jobs)
        workers += self._workers(beside, BESIDE)
        for worker in workers:
            worker.start()
        for worker in workers:
            while worker.is_alive():  # short waits, so that Ctrl-C is heard
                worker.join(0.2)

    def _workers(self, cases: Sequence[Case], number: int) -> list[threading.Thread]:
        waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
        for case in cases:
            waiting.put(case)
        return [
            threading.Thread(target=self._work, args=(waiting,), daemon=True) for _ in range(min(number, len(cases)))
        ]

    def _introduced(self) -> Offer:
        """Let a first server introduce itself; another one tries if it does not come through its handshake."""
        for _ in range(MOST_TRIES):
            try:
                return self.servers.introduce()
            except CommandError:
                raise
            except NeverAnsweredError as error:
                ended = error
            except DriverError:
                return self.servers.introduce()
        raise CommandError(_why_it_never_answered(ended, MOST_TRIES))

    def _work(self, waiting: "queue.SimpleQueue[Case]") -> None:
        try:
            while not self.is_over.is_set():
                self._one(waiting.get_nowait())
        except queue.Empty:
            return
        except BaseException as error:  # a worker that ended unheard would leave scenarios out
            self.trouble = error
            self.is_over.set()

    def _one(self, case: Case) -> None:
        server = self.servers.take(fresh=False)
        result = timed(case, server, self.steps)
        if result.failure and server.is_used:  # what fails is judged by a server that nobody has used
            self.servers.drop(server)
            server = self.servers.take(fresh=True)
            result = timed(case, server, self.steps)
        home = None
        if result.failure:
            home = server.home if self.plan.keep else None
            self.servers.drop(server, keep_home=self.plan.keep)
        else:
            self.servers.give_back(server)
        self._judge(case, result, home)

    def _judge(self, case: Case, result: Timed, home: Path | None, *, is_told: bool = False) -> None:
        reason = self.plan.known.get(case.name, "")
        if result.failure:
            verdict = Verdict.KNOWN if reason else Verdict.WARNED if case.only_warns else Verdict.FAILED
        else:
            verdict = Verdict.MENDED if reason else Verdict.PASSED
        self._keep(Outcome(case, verdict, result.seconds, result.failure, reason, home, is_told))

    def _keep(self, outcome: Outcome) -> None:
        with self.lock:
            if self.is_over.is_set():
                return
            self.outcomes[outcome.case.name] = outcome
            self.tell(outcome, self.total)
            if self.plan.fail_fast and outcome.verdict in FAILING:
                self.is_over.set()


def _why_it_never_answered(error: DriverError, times: int) -> str:
    """Return how a server ended at each start, with its last words, which say more than any scenario could."""
    lines = [f"{error.sentence}, at each of {times} starts; no scenario was run"]
    printed = [message for message in error.messages if message.startswith("<- ")]
    for name, said in (("stdout", "\n".join(printed)), ("stderr", error.stderr[-SHOWN:].strip())):
        if said:
            lines += [f"the end of what it wrote to {name}:", *(f"  {line}" for line in said.splitlines())]
    if len(lines) == 1:
        lines.append("it wrote nothing to stderr")
    return "\n".join(lines)
