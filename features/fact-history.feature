# Made from openspec/specs/fact-history/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: fact-history
  Let nothing be lost by mistake: every change of a fact leaves what the fact was before, whoever makes the change, so that it can be read and brought back; and let facts that no longer hold step back from view without being destroyed.

  Rule: Every change leaves a version
    `history` MUST answer `{"fact_id", "exists", "versions", "count"}`, a version for each add, update, removal and rating that changes the fact, newest first, `count` of them in the answer, each with `version`, `changed_at`, `action`, `source` and, where there was something before, in `before` what the change moved.

    @full
    Scenario: an update leaves the earlier text
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "Tea is served at five", "tags": "kitchen"}
      And the client calls fact_store with {"action": "history", "fact_id": "[id of tea]"}
      Then the answer has {"fact_id": "[id of tea]", "exists": true, "count": 2, "versions": [{"action": "update", "source": "tool", "changed_at": "[now]", "before": {"content": "Tea is served at four", "tags": ""}}, {"action": "add", "source": "tool"}]}

    @full
    Scenario: trust over time can be read
      Given a memory with these facts:
        | fact | content |
        | dark | 用户偏好深色主题 |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of dark]"}
      And the client calls fact_feedback with {"action": "unhelpful", "fact_id": "[id of dark]"}
      And the client calls fact_store with {"action": "history", "fact_id": "[id of dark]"}
      Then the answer has {"count": 3, "versions": [{"action": "feedback", "before": {"trust_score": 0.55}}, {"action": "feedback", "before": {"trust_score": 0.5, "helpful_count": 0}}, {"action": "add"}]}

    @full
    Scenario: learning leaves a version
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | whale | Whales sleep at sea | 40 | 0 |
      When the client calls fact_store with {"action": "learn"}
      And the client calls fact_store with {"action": "history", "fact_id": "[id of whale]", "limit": 1}
      Then the answer has {"versions": [{"action": "learn", "source": "tool", "before": {"trust_score": 0.5}}]}

    @full
    Scenario: a search leaves none
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales"
      And the log has 1 entry
      And the client calls fact_store with {"action": "history", "fact_id": "[id of whale]"}
      Then the answer has {"count": 1, "versions": [{"action": "add"}]}

    @full
    Scenario: a fact that never was has no history
      Given an empty memory
      When the client calls fact_store with {"action": "history", "fact_id": 7}
      Then the answer is an error that says "fact_id 7 not found"

    @full
    Scenario: the count is that of the versions in the answer
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "tags": "kitchen"}
      And the client calls fact_store with {"action": "history", "fact_id": "[id of tea]", "limit": 1}
      Then the answer has {"count": 1, "versions": [{"action": "update"}]}

  Rule: Changes of other programs are kept too
    A change that another program makes in the table `facts` MUST leave a version like any other, with the source `another program`.

    @full
    Scenario: another program's update can be read
      Given a memory with these facts:
        | fact | content |
        | tea | 下午四点喝茶 |
      When another program runs "UPDATE facts SET content = '下午五点喝茶' WHERE fact_id = 1"
      And the client calls fact_store with {"action": "history", "fact_id": "[id of tea]"}
      Then the answer has {"versions": [{"action": "update", "source": "another program", "before": {"content": "下午四点喝茶"}}, {"action": "add", "source": "tool"}]}

    @full
    Scenario: another program's removal is taken back
      Given a memory with these facts:
        | fact | content | tags |
        | tea | 下午四点喝茶 | 厨房 |
      When another program runs "DELETE FROM facts"
      And the client calls fact_store with {"action": "restore", "fact_id": "[id of tea]"}
      Then the answer is {"fact_id": "[id of tea]", "restored": true}
      And a search for "喝茶" returns "tea"

    @full
    Scenario: a row that another program replaces is kept
      Given a memory with these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | sea |
      When another program runs "INSERT OR REPLACE INTO facts(content, tags) VALUES ('Whales sleep at sea', 'animals')"
      And the client calls fact_store with {"action": "history", "fact_id": "[id of whale]"}
      Then the answer has {"exists": false, "versions": [{"action": "remove", "source": "another program", "before": {"content": "Whales sleep at sea", "tags": "sea"}}, {"action": "add"}]}

  Rule: A removed fact comes back as it was
    `restore` of a removed fact MUST bring it back with its id, texts, category, tags, trust, counters and times, and searches and questions about names MUST find it again.

    @full
    Scenario: a removed fact is whole again
      Given a memory with these facts:
        | fact | content | category | tags | summary |
        | ship | Olivia moors the "Heron" at pier six | workflow | boat | pier of Olivia |
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of ship]"}
      And what the file holds is noted
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of ship]"}
      And the client calls fact_store with {"action": "restore", "fact_id": "[id of ship]"}
      Then the answer is {"fact_id": "[id of ship]", "restored": true}
      And the tables facts and retrieval_log hold what was noted
      And a search for "pier" returns "ship"
      And the client calls fact_store with {"action": "probe", "entity": "Heron"}
      And the results are "ship" in this order

    @full
    Scenario: a fact whose text is taken by now does not come back
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of tea]"}
      And the client calls fact_store with {"action": "add", "content": "Tea is served at four"}
      And the client calls fact_store with {"action": "restore", "fact_id": "[id of tea]"}
      Then the answer is an error that says "already has exactly this content"
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    @full
    Scenario: a fact that never was does not come back
      Given an empty memory
      When the client calls fact_store with {"action": "restore", "fact_id": 7}
      Then the answer is an error that says "fact_id 7 not found"

    @full
    Scenario: a removed fact comes back with its counters and times
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | ship | Whales sleep at sea | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
      And what the file holds is noted
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of ship]"}
      And the client calls fact_store with {"action": "restore", "fact_id": "[id of ship]"}
      Then the tables facts and retrieval_log hold what was noted

  Rule: An earlier version replaces the present one
    `restore` with a `version` MUST give the fact the texts, category, tags, trust and helpful ratings that it had before that change, which is a change of its own; without `version` a fact that is there MUST be left as it is.

    @full
    Scenario: a wrong update is taken back
      Given a memory with these facts:
        | fact | content | tags |
        | tea | Tea is served at four | time |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "Coffee is served at nine", "tags": "", "trust_delta": -0.4}
      And the client restores "tea" to what it was before its newest change
      Then the answer is {"fact_id": "[id of tea]", "restored": true}
      And the file has these facts:
        | fact | content | tags | trust_score |
        | tea | Tea is served at four | time | 0.5 |
      And a search for "tea" returns "tea"
      And a search for "coffee" returns nothing

    @full
    Scenario: a restoration can be taken back as well
      Given a memory with these facts:
        | fact | content |
        | tea | 下午四点喝茶 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "下午五点喝茶"}
      And the client restores "tea" to what it was before its newest change
      And the client restores "tea" to what it was before its newest change
      Then the file answers "SELECT content FROM facts" with [["下午五点喝茶"]]

    @full
    Scenario: a fact that is there needs a version
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      And what the file holds is noted
      When the client calls fact_store with {"action": "restore", "fact_id": "[id of tea]"}
      Then the answer is an error that says "version"
      And the tables facts and retrieval_log hold what was noted

    @full
    Scenario: a version of another fact is refused
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "restore", "fact_id": "[id of whale]", "version": 987654321}
      Then the answer is an error that says "no version 987654321"

    @full
    Scenario: a version brings back category, summary and ratings
      Given a memory with these facts:
        | fact | content | summary | category | helpful_count |
        | tea | Tea is served at four | tea time | workflow | 3 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "summary": "coffee", "category": "general"}
      And the client restores "tea" to what it was before its newest change
      Then the file has these facts:
        | fact | summary | category | helpful_count |
        | tea | tea time | workflow | 3 |
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of tea]"}
      And the client restores "tea" to what it was before its newest change
      And the file has these facts:
        | fact | trust_score | helpful_count |
        | tea | 0.5 | 3 |

  Rule: The history is limited and keeps the last version
    The history MUST be limited in size and age; whatever the limits, the newest version of each fact and the newest one with another text MUST be kept. A version that is kept MUST say the same as before of what its change moved, whatever was forgotten.

    @full
    Scenario: after years the last text can still be brought back
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "Tea is served at five"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "Tea is served at six"}
      And the client calls fact_store with {"action": "remove", "fact_id": "[id of tea]"}
      And 800 days pass
      And the server restarts and has learned
      And the client calls fact_store with {"action": "history", "fact_id": "[id of tea]"}
      Then the answer has {"count": 1, "versions": [{"action": "remove", "before": {"content": "Tea is served at six"}}]}
      And the client calls fact_store with {"action": "restore", "fact_id": "[id of tea]"}
      And a search for "tea" returns "tea"

    @full
    Scenario: a change of text does not take over forgotten changes of trust
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "content": "Tea is served at five"}
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of tea]"}
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of tea]"}
      And 800 days pass
      And the server restarts and has learned
      And the client calls fact_store with {"action": "history", "fact_id": "[id of tea]"}
      Then the answer is {"fact_id": "[id of tea]", "exists": true, "count": 2, "versions": [{"version": "[any]", "changed_at": "[any]", "action": "feedback", "source": "tool", "before": {"trust_score": 0.55, "helpful_count": 1}}, {"version": "[any]", "changed_at": "[any]", "action": "update", "source": "tool", "before": {"content": "Tea is served at four"}}]}

  Rule: A superseded fact steps back
    With `supersedes` on `add` or `update` the named fact MUST stay, linked to the newer one in `superseded_by`, and be hidden from search, list, resources, questions about names and reports of contradictions unless `include_superseded` is true; it shows again when the newer fact is removed. To supersede a fact, and to restore that, MUST set its `updated_at`.

    @full
    Scenario: a superseded fact is found no more
      Given a memory with these facts:
        | fact | content | category |
        | old | The office of Olivia is room six | general |
      When the client calls fact_store with {"action": "add", "content": "The office of Olivia is room nine", "supersedes": "[id of old]"}
      Then the answer has {"fact_id": 2, "status": "added"}
      And a search for "office" returns 1 fact
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 1, "total": 1, "facts": [{"fact_id": 2}]}
      And the client calls fact_store with {"action": "probe", "entity": "Olivia"}
      And the answer has {"count": 1, "results": [{"fact_id": 2}]}
      And the resource "mnemo://global/general" holds 1 fact

    @full
    Scenario: a superseded fact is there for who asks
      Given a memory with these facts:
        | fact | content |
        | old | 办公室在二楼东侧 |
        | new | 办公室在三楼西侧 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}
      And the client searches for "办公室" with {"include_superseded": true}
      Then the results are "old", "new" in any order
      And the result "old" has {"superseded_by": "[id of new]"}
      And the result "new" has no "superseded_by"
      And the client calls fact_store with {"action": "list", "include_superseded": true}
      And the answer has {"count": 2}
      And the client calls fact_store with {"action": "get", "fact_id": "[id of old]"}
      And the result "old" has {"content": "[content of old]"}

    @full
    Scenario: the older fact shows again without the newer one
      Given a memory with these facts:
        | fact | content |
        | old | The office of Olivia is room six |
      When the client calls fact_store with {"action": "add", "content": "The office of Olivia is room nine", "supersedes": "[id of old]"}
      And the client calls fact_store with {"action": "remove", "fact_id": 2}
      Then a search for "office" returns "old"

    @full
    Scenario: the last word holds
      Given a memory with these facts:
        | fact | content |
        | six | The office of Olivia is room six |
        | nine | The office of Olivia is room nine |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of nine]", "supersedes": "[id of six]"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of six]", "supersedes": "[id of nine]"}
      Then a search for "office" returns "six"

    @full
    Scenario: to step back and to be brought back are changes of the fact
      Given a memory with these facts:
        | fact | content | updated_at |
        | six | The office of Olivia is room six | [40 days ago] |
        | nine | The office of Olivia is room nine | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of nine]", "supersedes": "[id of six]"}
      Then the file has these facts:
        | fact | content | updated_at |
        | six | The office of Olivia is room six | [now] |
        | nine | The office of Olivia is room nine | [now] |
      And 3 days pass
      And the client restores "six" to what it was before its newest change
      And the file has these facts:
        | fact | content | updated_at |
        | six | The office of Olivia is room six | [now] |
        | nine | The office of Olivia is room nine | [3 days ago] |

    @full
    Scenario: nothing supersedes itself or a fact that is not there
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of tea]", "supersedes": "[id of tea]"}
      Then the answer is an error that says "supersede itself"
      And the client calls fact_store with {"action": "add", "content": "Tea is served at five", "supersedes": 9}
      And the answer is an error that says "fact_id 9 not found"
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    @full
    Scenario: contradict proposes that the newer fact supersedes
      Given a memory with these facts:
        | fact | content |
        | old | The staging cluster of Olivia runs 7.1 |
        | new | The staging cluster of Olivia runs 7.2 |
      When the client calls fact_store with {"action": "contradict"}
      Then the answer has {"results": [{"proposal": {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}}]}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}
      And the client calls fact_store with {"action": "contradict"}
      And the answer has {"results": [], "count": 0}

    @full
    Scenario: adding what a hidden fact says is told
      Given a memory with these facts:
        | fact | content |
        | old | Tea is served at four |
        | new | Tea is served at five |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}
      And the client calls fact_store with {"action": "add", "content": "Tea is served at four"}
      Then the answer has {"status": "duplicate", "fact_id": "[id of old]"}
      And a warning of the answer mentions "superseded"

    @full
    Scenario: a superseded fact is hidden from related and reason
      Given a memory with these facts:
        | fact | content |
        | own | Nadia Okonkwo maintains the Heron Gateway |
        | old | The Heron Gateway runs in Oslo |
        | new | The Heron Gateway runs in Bergen |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}
      And the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      Then the results are "new" in this order
      And the client calls fact_store with {"action": "reason", "entities": ["Heron Gateway"]}
      And the results are "own", "new" in any order
      And the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo", "include_superseded": true}
      And the results are "old", "new" in any order

    @full
    Scenario: a superseded fact takes no place in a probe
      Given a memory with these facts:
        | fact | content | trust_score |
        | old | Heron Gateway listens on 7443 | 0.9 |
        | new | Heron Gateway listens on 8443 | 0.5 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of new]", "supersedes": "[id of old]"}
      And the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "limit": 1}
      Then the results are "new" in this order

  Rule: An expired fact steps back
    With `expires_at` (a date or time in UTC, or a span such as `30d`) on `add` or `update` a fact MUST be hidden from then on, until an update gives another `expires_at`, from search, list, resources, questions about names and reports of contradictions, MUST never be deleted for it, and MUST be listed under `expired` by `audit`. The answer to an `expires_at` that is past already MUST have a warning that names it.

    @full
    Scenario: a fact is found until it expires
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Olivia is on leave", "expires_at": "30d"}
      Then a search for "leave" returns 1 fact
      And 29 days pass
      And a search for "leave" returns 1 fact
      And 2 days pass
      And a search for "leave" returns nothing
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0, "total": 0}
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    @full
    Scenario: the audit lists what has expired
      Given a memory with these facts:
        | fact | content |
        | leave | Olivia is on leave |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": "2001-02-03 04:05:06"}
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"expired": [{"id": "[id of leave]", "expires_at": "2001-02-03 04:05:06"}]}

    @full
    Scenario: an expiry can be taken away
      Given a memory with these facts:
        | fact | content |
        | leave | 奥莉本周休假 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": "2001-02-03"}
      Then a search for "休假" returns nothing
      And the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": ""}
      And a search for "休假" returns "leave"

    @full
    Scenario: an expiry in the past is warned of
      Given a memory with these facts:
        | fact | content |
        | leave | 奥莉本周休假 |
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea", "expires_at": "2001-02-03 04:05:06"}
      Then the answer has {"status": "added"}
      And a warning of the answer mentions "expires_at"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": "2001-02-03"}
      And a warning of the answer mentions "expires_at"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": "30d"}
      And the answer has no "warnings"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": ""}
      And the answer has no "warnings"

    @full
    Scenario: a time that is none is refused
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Olivia is on leave", "expires_at": "soon"}
      Then the answer is an error that says "expires_at"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    @full
    Scenario: an expired fact is hidden from names, contradictions and resources
      Given a memory with these facts:
        | fact | content |
        | gone | The staging cluster of Olivia runs Redis 7.1 |
        | other | The staging cluster of Olivia runs Redis 7.2 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of gone]", "expires_at": "2001-02-03"}
      And the client calls fact_store with {"action": "probe", "entity": "Olivia"}
      Then the results are "other" in this order
      And the client calls fact_store with {"action": "reason", "entities": ["Olivia"]}
      And the results are "other" in this order
      And the client calls fact_store with {"action": "related", "entity": "Redis 7.2"}
      And there are no results
      And the client calls fact_store with {"action": "contradict"}
      And there are no results
      And the resource "mnemo://global/general" holds "other" in this order

    @full
    Scenario: another change leaves the expiry
      Given a memory with these facts:
        | fact | content |
        | leave | Olivia is on leave |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "expires_at": "2001-02-03"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of leave]", "tags": "team"}
      Then a search for "leave" returns nothing

    @full
    Scenario: a repeated search sees an expiry that another program sets and takes away
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
        | beta | Olivia serves us tea at noon |
      And the client searches for "tea"
      And another program runs "UPDATE facts SET expires_at = datetime('now', '-1 day') WHERE fact_id = 1"
      When the client searches for "tea"
      Then the results are "beta" in this order
      And another program runs "UPDATE facts SET expires_at = NULL"
      And a search for "tea" returns 2 facts

  Rule: A removed secret is told to be in the history
    `remove` of a fact that looks like a secret MUST warn that the history still has it.

    @full
    Scenario: a removal of a secret warns
      Given a memory with these facts:
        | fact | content |
        | key | [a note with the aws key] |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of key]"}
      Then the answer has {"removed": true}
      And a warning of the answer mentions "secret"
      And a warning of the answer mentions "history"
