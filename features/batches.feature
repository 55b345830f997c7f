# Made from openspec/specs/batches/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: batches
  Let an assistant store, read or remove many facts with one call, and tell for each item what became of it, so that nothing is lost, merged or overwritten silently.

  Rule: Each item of a batch answers for itself
    `add` with `contents` MUST answer one entry for each item, in the given order, each with the warnings that an add of it alone would have, and an item that is refused MUST NOT keep the others from being stored. What is said of one fact (`content`, `summary`, `supersedes`) beside `contents` MUST be refused.

    @full
    Scenario: the answers stand in the order of the items
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "add", "contents": ["Whales sleep at sea", "tea is served at FOUR", "", "访客从东门进"]}
      Then the answer has {"results": [{"status": "added"}, {"status": "duplicate", "fact_id": "[id of tea]"}, {"error": "[any]"}, {"status": "added"}]}
      And the file answers "SELECT content FROM facts ORDER BY fact_id" with [["Tea is served at four"], ["Whales sleep at sea"], ["访客从东门进"]]

    @full
    Scenario: an item that is no text fails by itself
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["Whales sleep at sea", {"content": "Tea is served at four"}, true, "访客从东门进"]}
      Then the answer has {"results": [{"status": "added"}, {"error": "[any]"}, {"error": "[any]"}, {"status": "added"}]}
      And the file answers "SELECT content FROM facts ORDER BY fact_id" with [["Whales sleep at sea"], ["访客从东门进"]]

    @full
    Scenario: category and tags hold for every item
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["Indent by four spaces", "注释用英文写"], "category": "coding_style", "tags": "python, style"}
      Then the file answers "SELECT DISTINCT category, tags FROM facts" with [["coding_style", "python,style"]]

    @full
    Scenario: two equal items of one batch are one fact
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["会议室有两块白板", "会议室有两块白板"]}
      Then the answer has {"results": [{"status": "added", "fact_id": 1}, {"status": "duplicate", "fact_id": 1}]}
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    @full
    Scenario: content beside contents is refused rather than lost
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Tea is served at four", "contents": ["Whales sleep at sea"]}
      Then the answer is an error that says "not both"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    @full
    Scenario: a summary beside contents is refused rather than given to all
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["Whales sleep at sea", "Seals sleep ashore"], "summary": "Where they sleep"}
      Then the answer is an error that says "summary"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    @full
    Scenario: a fact to supersede beside contents is refused
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "add", "contents": ["Tea is served at five", "Seals sleep ashore"], "supersedes": "[id of tea]"}
      Then the answer is an error that says "supersedes"
      And the file answers "SELECT content FROM facts" with [["Tea is served at four"]]

    @full
    Scenario: a long item of a batch is warned of
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["[501 characters about whale]", "Tea is served at four"]}
      Then the answer is {"results": [{"fact_id": 1, "status": "added", "category": "general", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}, {"fact_id": 2, "status": "added", "category": "general"}]}

  Rule: A batch is one transaction
    All items of a batch that succeed SHOULD be written in one transaction: what stops the writing in the middle MUST leave nothing of the batch.

    @full @should
    Scenario: a file that refuses one row keeps none
      Given an empty memory
      When another program runs "CREATE TRIGGER full_disk BEFORE INSERT ON facts WHEN new.content LIKE 'Whales%' BEGIN SELECT RAISE(ABORT, 'full'); END"
      And the client calls fact_store with {"action": "add", "contents": ["Tea is served at four", "Whales sleep at sea", "访客从东门进"]}
      Then the file answers "SELECT count(*) FROM facts" with [[0]]

  Rule: Several ids are read and removed in order
    `get` and `remove` with `fact_ids` MUST name what was found or removed in the given order, and what was missing, each id once; items that are no ids MUST be named under `errors` and MUST NOT keep the others from being served. `fact_id` beside `fact_ids` MUST be refused.

    @full
    Scenario: facts are read in the order asked for
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | 访客从东门进 |
        | three | Harbours open at six |
      When the client calls fact_store with {"action": "get", "fact_ids": [3, 99, 1, 3]}
      Then the results are "three", "one" in this order
      And the answer has {"count": 2, "missing": [99]}

    @full
    Scenario: one id beside several is refused rather than left out
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | 访客从东门进 |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of one]", "fact_ids": ["[id of two]"]}
      Then the answer is an error that says "not both"
      And the file answers "SELECT count(*) FROM facts" with [[2]]

    @full
    Scenario: ids may come as text
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | 访客从东门进 |
      When the client calls fact_store with {"action": "get", "fact_ids": "2, 1"}
      Then the results are "two", "one" in this order
      And the client calls fact_store with {"action": "get", "fact_ids": ["1", "2"]}
      And the results are "one", "two" in this order

    @full
    Scenario: a removal names removed and missing
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | 访客从东门进 |
        | kept | Harbours open at six |
      When the client calls fact_store with {"action": "remove", "fact_ids": [2, 99, 1]}
      Then the answer is {"removed": [2, 1], "missing": [99]}
      And the file answers "SELECT fact_id FROM facts" with [[3]]

    @full
    Scenario: an item that is no id fails by itself
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | 访客从东门进 |
      When the client calls fact_store with {"action": "get", "fact_ids": ["abc", 2]}
      Then the results are "two" in this order
      And the answer has {"count": 1, "missing": [], "errors": ["item 1 of fact_ids must be a whole number, not \"abc\""]}
      And the client calls fact_store with {"action": "remove", "fact_ids": [1, true, 99]}
      And the answer has {"removed": [1], "missing": [99], "errors": ["[any]"]}

    @full
    Scenario: an id that is removed twice is named once
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
      When the client calls fact_store with {"action": "remove", "fact_ids": [1, 99, 1, 99]}
      Then the answer is {"removed": [1], "missing": [99]}

  Rule: Nothing is merged silently
    A duplicate MUST be answered with the id that exists, a similar fact MUST be stored and listed under `similar`, and neither MUST change the older fact.

    @full
    Scenario: width and traditional characters make no new fact
      Given a memory with these facts:
        | fact | content | tags | trust_score |
        | docs | 文档由 Olivia 维护，每周更新 | team | 0.8 |
      And what the file holds is noted
      When the client calls fact_store with {"action": "add", "content": "文档由 Ｏｌｉｖｉａ 维护，每周更新", "tags": "other"}
      Then the answer has {"status": "duplicate", "fact_id": "[id of docs]"}
      And the tables facts and retrieval_log hold what was noted

    @full
    Scenario: a similar Chinese fact is stored and the older one named
      Given a memory with these facts:
        | fact | content |
        | old | 账单系统的预发集群运行在二号机房的服务器 |
      When the client calls fact_store with {"action": "add", "content": "账单系统的预发集群运行在三号机房的服务器"}
      Then the answer has {"status": "added", "similar": [{"fact_id": "[id of old]", "content": "[content of old]", "similarity": "[any]"}]}
      And the file answers "SELECT content FROM facts WHERE fact_id = 1" with [["账单系统的预发集群运行在二号机房的服务器"]]

    @full
    Scenario: a fact about something else is not similar
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "add", "content": "Tea is served at four"}
      Then the answer has {"status": "added"}
      And the answer has no "similar"

    @full
    Scenario: similar items of one batch name each other
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": ["The staging cluster of the billing team runs Redis 7.1", "The staging cluster of the billing team runs Redis 7.2"]}
      Then the answer has 2 entries in "results"
      And the answer has {"results": [{"status": "added", "similar": [{"fact_id": 2}]}, {"status": "added", "similar": [{"fact_id": 1}]}]}
