# Made from openspec/specs/answer-size/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: answer-size
  Keep a memory of thousands of facts from flooding an assistant's context: an answer whose size nobody asked for stays small, says what it left out and how to get it, and filters choose before anything is sent.

  Rule: A default answer stays small
    An answer to a search, a list or a question about names for which no `limit` was given MUST stay under 25,000 characters by leaving out later facts, the first one excepted, and MUST then say in `omitted` how many and in `note` how to get them; of a first fact that is longer than that alone `note` MUST say how to get it short.

    @full
    Scenario: a search of long facts is cut and says so
      Given 8 facts like "[6000 characters about whale #]"
      When the client searches for "whale"
      Then the text of the answer is shorter than 25000 characters
      And the answer has {"count": 3, "omitted": 5}
      And the answer's "note" mentions "brief", "limit", "get"

    @full
    Scenario: a list of long facts is cut and says so
      Given 8 facts like "[6000 Chinese characters about 灯塔 #]"
      When the client calls fact_store with {"action": "list"}
      Then the text of the answer is shorter than 25000 characters
      And the answer has {"count": 3, "omitted": 5, "total": 8}
      And the answer's "note" mentions "brief", "limit", "get"

    @full
    Scenario: a probe and a report of contradictions are cut
      Given 8 facts like "[6000 characters about the Heron Gateway note #]"
      When the client calls fact_store with {"action": "probe", "entity": "Heron Gateway"}
      Then the text of the answer is shorter than 25000 characters
      And the answer has {"count": 3, "omitted": 5}
      And the client calls fact_store with {"action": "contradict"}
      And the text of the answer is shorter than 25000 characters

    @full
    Scenario: one fact is never out of reach
      Given a memory with these facts:
        | fact | content |
        | book | [28000 characters about whale] |
      When the client searches for "whale"
      Then the result "book" has {"content": "[content of book]"}
      And the answer has no "omitted"
      And the answer's "note" mentions "brief", "whole"
      And the client searches for "whale" with {"brief": true}
      And the text of the answer is shorter than 600 characters
      And the answer has no "note"

    @full
    Scenario: what was left out was not retrieved
      Given 8 facts like "[6000 characters about whale #]"
      When the client searches for "whale"
      Then the answer has {"count": 3}
      And the file answers "SELECT count(*) FROM facts WHERE retrieval_count = 1" with [[3]]
      And the file answers "SELECT json_array_length(results) FROM retrieval_log" with [[3]]

    @full
    Scenario: small facts are all there
      Given 10 facts like "周例会第 # 项议题"
      When the client searches for "例会议题"
      Then the answer has {"count": 10}
      And the answer has no "omitted"
      And the answer has no "note"

    @full
    Scenario: related and reason are cut too
      Given 8 facts like "[6000 characters about the Heron Gateway note #]"
      And these facts besides:
        | fact | content |
        | own | Nadia Okonkwo maintains the Heron Gateway |
      When the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      Then the text of the answer is shorter than 25000 characters
      And the answer has {"count": 3, "omitted": 5}
      And the answer's "note" mentions "brief", "limit", "get"
      And the client calls fact_store with {"action": "reason", "entities": ["Heron Gateway"]}
      And the text of the answer is shorter than 25000 characters
      And the answer's "note" mentions "brief", "limit", "get"

  Rule: Who asks for more gets it
    With a `limit` an answer MUST hold as many facts as there are up to it, however long, and with `brief` the match texts alone, cut at 200 characters.

    @full
    Scenario: a limit brings long facts whole
      Given 8 facts like "[6000 characters about whale #]"
      When the client searches for "whale" with {"limit": 8}
      Then the answer has {"count": 8}
      And the answer has no "omitted"

    @full
    Scenario: brief brings them all, short
      Given 8 facts like "[6000 characters about whale #]"
      When the client calls fact_store with {"action": "list", "brief": true}
      Then the answer has {"count": 8}
      And the text of the answer is shorter than 3000 characters
      And the client calls fact_store with {"action": "search", "query": "whale", "brief": true}
      And the answer has {"count": 8}
      And the text of the answer is shorter than 3000 characters

    @full
    Scenario: brief shows the summary of a fact that has one
      Given a memory with these facts:
        | fact | content | summary |
        | book | [900 characters about whale] | 水闸操作手册 |
      When the client searches for "水闸" with {"brief": true}
      Then the result "book" has {"text": "水闸操作手册", "category": "general", "score": "[any]"}
      And the result "book" has no "content"

    @full
    Scenario: get brings each fact whole
      Given 6 facts like "[6000 characters about whale #]"
      When the client calls fact_store with {"action": "get", "fact_ids": [1, 2, 3, 4, 5, 6]}
      Then the answer has {"count": 6, "missing": []}
      And the answer has no "omitted"

    @full
    Scenario: brief shortens questions about names
      Given 8 facts like "[6000 characters about the Heron Gateway note #]"
      And these facts besides:
        | fact | content |
        | own | Nadia Okonkwo maintains the Heron Gateway |
      When the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "brief": true}
      Then the answer has {"count": 9}
      And the text of the answer is shorter than 3000 characters
      And the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo", "brief": true}
      And the answer has {"count": 8}
      And the text of the answer is shorter than 3000 characters
      And the client calls fact_store with {"action": "reason", "entities": ["Heron Gateway"], "brief": true}
      And the answer has {"count": 9}
      And the text of the answer is shorter than 3000 characters

  Rule: A report of similar facts stays short
    An add that names similar facts MUST show at most 200 characters of each.

    @full
    Scenario: a long similar fact is cut
      Given a memory with these facts:
        | fact | content |
        | old | [9000 characters about whale] |
      When the client calls fact_store with {"action": "add", "content": "[9100 characters about whale]"}
      Then the answer has {"status": "added", "similar": [{"fact_id": "[id of old]"}]}
      And the text of the answer is shorter than 600 characters

  Rule: Filters choose before anything is sent
    `search`, `list`, `probe`, `related` and `reason` MUST choose by `category`, all of the given `tags`, `after` (inclusive) and `before` (exclusive) on the time of the last change, each a date, a time or an age, before the limit cuts.

    @full
    Scenario: all given tags are wanted
      Given a memory with these facts:
        | fact | content | tags |
        | both | Whales sleep at sea | sea, 深海 |
        | one | Whales sing at night | sea |
        | part | Whales eat krill | seaside,深海 |
      When the client searches for "whales" with {"tags": "深海,sea"}
      Then the results are "both" in this order
      And the client calls fact_store with {"action": "list", "tags": "SEA"}
      And the results are "both", "one" in any order

    @full
    Scenario: a list without a category lists all
      Given a memory with these facts:
        | fact | content | category |
        | one | The user is Olivia | identity |
        | two | The shell is fish | tool_pref |
        | tea | 下午四点喝茶 | general |
      When the client calls fact_store with {"action": "list"}
      Then the results are "one", "two", "tea" in any order
      And the client calls fact_store with {"action": "list", "category": null}
      And the results are "one", "two", "tea" in any order

    @full
    Scenario: ages in hours, days and weeks
      Given a memory with these facts:
        | fact | content | updated_at |
        | old | Whales sleep at sea | [20 days ago] |
        | mid | Whales eat krill | [3 days ago] |
        | new | Whales sing at night | [now] |
      When the client calls fact_store with {"action": "list", "after": "12h"}
      Then the results are "new" in this order
      And the client calls fact_store with {"action": "list", "after": "7d"}
      And the results are "mid", "new" in any order
      And the client calls fact_store with {"action": "list", "after": "2w", "before": "1d"}
      And the results are "mid" in this order
      And the client calls fact_store with {"action": "list", "before": "2w"}
      And the results are "old" in this order

    @full
    Scenario: dates and times choose at the second
      Given a memory with these facts:
        | fact | content | updated_at |
        | noon | Whales sleep at sea | 2024-05-08 12:00:00 |
        | next | Whales sing at night | 2024-05-09 00:00:00 |
      When the client calls fact_store with {"action": "list", "before": "2024-05-09"}
      Then the results are "noon" in this order
      And the client calls fact_store with {"action": "list", "after": "2024-05-08 12:00:00"}
      And the results are "noon", "next" in any order
      And the client calls fact_store with {"action": "list", "after": "2024-05-08T12:00:01Z"}
      And the results are "next" in this order
      And the client calls fact_store with {"action": "list", "before": "2024-05-08T20:00:00+08:00"}
      And there are no results

    @full
    Scenario: a time that is none is refused
      Given an empty memory
      When the client calls fact_store with {"action": "list", "after": "last spring"}
      Then the answer is an error that says "after"
      And the client searches for "whales" with {"before": "2024-13-45"}
      And the answer is an error that says "before"

    @full
    Scenario: pages join without a gap
      Given 5 facts like "季度预算第 # 项已经通过"
      When the client calls fact_store with {"action": "list", "limit": 2, "offset": 4}
      Then the answer has {"count": 1, "total": 5}
      And the client calls fact_store with {"action": "list", "limit": 2, "offset": 5}
      And the answer has {"count": 0, "total": 5}
      And the client calls fact_store with {"action": "list", "offset": -1}
      And the answer is an error that says "offset"

    @full
    Scenario: a search goes on where the page before ended
      Given a memory with these facts:
        | fact | content | trust_score |
        | best | Whales sleep at sea | 0.9 |
        | next | Whales sing at night | 0.7 |
        | third | Whales eat red krill | 0.5 |
      When the client searches for "whales" with {"limit": 1, "offset": 1}
      Then the results are "next" in this order
      And the file answers "SELECT count(*) FROM facts WHERE retrieval_count > 0" with [[1]]
      And the client searches for "whales" with {"offset": 1}
      And the results are "next", "third" in this order
      And the client searches for "whales" with {"offset": 3}
      And there are no results

    @full
    Scenario: questions about names choose too
      Given a memory with these facts:
        | fact | content | category | tags | trust_score |
        | port | Heron Gateway listens on 7443 | workflow | net | 0.9 |
        | logs | Heron Gateway keeps logs a week | general | ops | 0.7 |
        | team | Heron Gateway belongs to Olivia | general | net | 0.5 |
      When the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "category": "general"}
      Then the results are "logs", "team" in this order
      And the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "tags": "net", "min_trust": 0.6}
      And the results are "port" in this order
      And the client calls fact_store with {"action": "reason", "entities": ["Heron Gateway"], "limit": 1, "offset": 1}
      And the results are "logs" in this order
      And the client calls fact_store with {"action": "related", "entity": "Olivia", "category": "workflow"}
      And the results are "port" in this order

    @full
    Scenario: times choose in questions about names
      Given a memory with these facts:
        | fact | content | updated_at |
        | old | Heron Gateway listens on 7443 | [20 days ago] |
        | mid | Heron Gateway belongs to Olivia | [9 days ago] |
        | new | Heron Gateway keeps logs a day | [2 days ago] |
      When the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "after": "7d"}
      Then the results are "new" in this order
      And the client calls fact_store with {"action": "reason", "entities": ["Heron Gateway"], "before": "14d"}
      And the results are "old" in this order
      And the client calls fact_store with {"action": "related", "entity": "Olivia", "after": "7d"}
      And the results are "new" in this order

    @full
    Scenario: neighbours are chosen before the limit cuts
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | own | Nadia Okonkwo maintains the Heron Gateway | general | 0.5 |
        | other | The Heron Gateway runs in Oslo | general | 0.9 |
        | near | The Heron Gateway is restarted at night | workflow | 0.4 |
      When the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo", "category": "workflow", "limit": 1}
      Then the results are "near" in this order

  Rule: An argument without effect is said
    An argument that an action knows no use for MUST be named in a warning rather than passed over in silence; `false`, `0` and empty texts ask for nothing and need none.

    @full
    Scenario: a filter that cannot filter is named
      Given a memory with these facts:
        | fact | content |
        | sea | Whales sleep at sea |
      When the client calls fact_store with {"action": "get", "fact_id": 1, "category": "workflow", "explain": false, "query": ""}
      Then the results are "sea" in this order
      And a warning of the answer mentions "no effect"
      And a warning of the answer mentions "category"
      And the client calls fact_store with {"action": "get", "fact_id": 1, "explain": false, "query": ""}
      And the answer has no "warnings"

    @full
    Scenario: every action names what it has no use for
      Given a memory with these facts:
        | fact | content |
        | sea | Whales sleep at sea |
      When the client calls fact_store with {"action": "learn", "category": "workflow"}
      Then a warning of the answer mentions "category"
      And the client calls fact_store with {"action": "list", "query": "whales"}
      And a warning of the answer mentions "query"
      And the client calls fact_store with {"action": "search", "query": "whales", "entity": "Olivia"}
      And a warning of the answer mentions "entity"
