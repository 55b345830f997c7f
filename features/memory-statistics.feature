# Made from openspec/specs/memory-statistics/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: memory-statistics
  Show at a glance how a memory is doing: how much is in it, how far it is trusted, how much of it is ever found and rated, how often a search comes back empty, and whether the index is up to date.

  Rule: The audit counts facts and trust
    `statistics` in the answer to `audit` MUST hold `total_facts`, `categories` (facts by category) and `average_trust`.

    @full
    Scenario: totals, categories and average trust
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | one | The user is Olivia | identity | 0.9 |
        | two | The shell is fish | tool_pref | 0.6 |
        | three | 编辑器用深色主题 | tool_pref | 0.3 |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"total_facts": 3, "categories": {"identity": 1, "tool_pref": 2}, "average_trust": 0.6}}

    @full
    Scenario: an empty memory has zeros
      Given an empty memory
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"total_facts": 0, "categories": {}, "average_trust": 0, "share_retrieved": 0, "share_rated_helpful": 0, "logged_searches": 0, "share_empty_searches": 0}}

  Rule: The audit tells how much is used
    `statistics` MUST hold `share_retrieved` and `share_rated_helpful`, the shares of facts that were ever found by a search and ever rated helpful, from 0 to 1.

    @full
    Scenario: shares of facts retrieved and rated
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | one | Whales sleep at sea | 7 | 2 |
        | two | Harbours open at six | 1 | 0 |
        | three | Cranes are painted yellow | 12 | 0 |
        | four | 下午四点喝茶 | 0 | 0 |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"share_retrieved": 0.75, "share_rated_helpful": 0.25}}

    @full
    Scenario: a search and a rating raise the shares
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
        | tea | 下午四点喝茶 |
      When the client searches for "whales"
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      And the log has 1 entry
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"share_retrieved": 0.5, "share_rated_helpful": 0.5}}

  Rule: The audit tells how searches end
    `statistics` MUST hold `logged_searches`, the number of searches in the log, and `share_empty_searches`, the share of those without results.

    @full
    Scenario: one of two searches was empty
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales"
      And the client searches for "完全不存在的查询"
      And the log has 2 entries
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"logged_searches": 2, "share_empty_searches": 0.5}}

    @full
    Scenario: a skipped operation is no search
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "继续"
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"logged_searches": 0, "share_empty_searches": 0}}

  Rule: The audit tells the state of the file
    `statistics` MUST hold `file_bytes`, the size of the memory's file, and `index`, which is `current` or says how many facts wait to be indexed.

    @full
    Scenario: the size of the file is told
      Given an empty memory
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"file_bytes": "[a number above 0]", "index": "current"}}

    @full
    Scenario: the index is current after a write of its own
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"statistics": {"index": "current"}}

    @full
    Scenario: facts of another program wait until the next search
      Given an empty memory
      When the server restarts and has learned
      And another program runs "INSERT INTO facts(content) VALUES ('雨伞放在前台抽屉'), ('Tea is served at four')"
      And the client calls fact_store with {"action": "audit"}
      Then the answer's "statistics.index" mentions "2"
      And a search for "雨伞" returns 1 fact
      And the client calls fact_store with {"action": "audit"}
      And the answer has {"statistics": {"index": "current"}}
