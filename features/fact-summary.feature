# Made from openspec/specs/fact-summary/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: fact-summary
  Give a long fact a short text to be found by. A summary takes the content's place in matching and in the length penalty, the content stays whole, and writing a long fact without a summary is answered with a warning that asks for one.

  Rule: facts table has summary and last_retrieved_at columns
    The table `facts` MUST have the columns `summary TEXT DEFAULT NULL` and `last_retrieved_at TEXT DEFAULT NULL`; a non-empty summary is what searches match, otherwise the content is.

    Scenario: Add fact without summary
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
      Then the file has these facts:
        | fact | content | summary | last_retrieved_at | retrieval_count | trust_score |
        | theme | 用户偏好深色主题 | [none] | [none] | 0 | 0.5 |
      And a search for "深色" returns "theme"

    Scenario: Add fact with summary
      Given an empty memory
      When the client adds these facts:
        | fact | content | summary |
        | theme | 每次装好新电脑都要把编辑器和终端调成黑底的 | 用户偏好深色主题 |
      Then the file has these facts:
        | fact | content | summary |
        | theme | 每次装好新电脑都要把编辑器和终端调成黑底的 | 用户偏好深色主题 |
      And a search for "深色主题" returns "theme"

    Scenario: a summary of spaces counts as none
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "The tea room is upstairs", "summary": "   "}
      Then the file answers "SELECT count(*) FROM facts WHERE trim(coalesce(summary, '')) = ''" with [[1]]
      And a search for "upstairs" returns 1 fact

    Scenario: the columns have their types and defaults
      Given an empty memory
      When the client calls fact_store with {"action": "list"}
      Then the file answers "SELECT name, type, "notnull", coalesce(dflt_value, 'NULL') FROM pragma_table_info('facts') WHERE name IN ('summary', 'last_retrieved_at') ORDER BY name DESC" with [["summary", "TEXT", 0, "NULL"], ["last_retrieved_at", "TEXT", 0, "NULL"]]

    Scenario: an update gives a fact its summary
      Given a memory with these facts:
        | fact | content |
        | theme | 每次装好新电脑都要调成黑底的界面 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of theme]", "summary": "用户偏好深色主题"}
      Then a search for "深色主题" returns "theme"
      And a search for "电脑" returns nothing

    Scenario: an update with the empty summary makes the content match again
      Given a memory with these facts:
        | fact | content | summary |
        | theme | 每次装好新电脑都要调成黑底的界面 | 用户偏好深色主题 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of theme]", "summary": ""}
      Then a search for "电脑" returns "theme"
      And a search for "深色主题" returns nothing

  Rule: Write operation warns on long content without summary
    An add or update after which a fact has more than 500 characters of content (as it is stored, spaces around it included) and no summary MUST succeed and carry `warnings` with the text `content 超过 500 字，建议提供 summary 或拆分为多条 fact`.

    Scenario: Long fact without summary triggers warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[600 characters about whale]"}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}
      And the file answers "SELECT length(content) FROM facts" with [[600]]

    Scenario: 501 characters trigger the warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[501 characters about whale]"}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}
      And the file answers "SELECT length(content) FROM facts" with [[501]]

    Scenario: 500 characters trigger no warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[500 characters about whale]"}
      Then the answer has {"status": "added"}
      And the answer has no "warnings"

    Scenario: 501 Chinese characters trigger the warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[501 Chinese characters about 鲸鱼]"}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    Scenario: 500 Chinese characters trigger no warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[500 Chinese characters about 鲸鱼]"}
      Then the answer has {"status": "added"}
      And the answer has no "warnings"

    Scenario: spaces around the content count for the warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[501 characters about whale with spaces around it]"}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}
      And the file answers "SELECT length(content), length(trim(content)) FROM facts" with [[501, 497]]

    Scenario: a summary of spaces does not silence the warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[501 characters about whale]", "summary": "  "}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    Scenario: Long fact with summary has no warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[600 characters about whale]", "summary": "核心摘要"}
      Then the answer has {"status": "added"}
      And the answer has no "warnings"
      And the file answers "SELECT length(content), summary FROM facts" with [[600, "核心摘要"]]

    Scenario: 300-500 字 content without summary has no warning
      Given a memory with these facts:
        | fact | content |
        | grey | [400 characters about whale] |
      When the client searches for "whale" with explanation
      Then the answer to adding "grey" has no "warnings"
      And the result "grey" is explained by {"length_penalty": 0.75}

    Scenario: an update to 501 characters triggers the warning
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "[501 characters about whale]"}
      Then the answer has {"updated": true, "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    Scenario: an update to 500 characters triggers no warning
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "[500 characters about whale]"}
      Then the answer has {"updated": true}
      And the answer has no "warnings"

    Scenario: an update of the content of a fact with a summary triggers no warning
      Given a memory with these facts:
        | fact | content | summary |
        | whale | Whales sleep at sea | about whales |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "[501 characters about whale]"}
      Then the answer has {"updated": true}
      And the answer has no "warnings"

    Scenario: an update that clears the summary of a long fact triggers the warning
      Given a memory with these facts:
        | fact | content | summary |
        | whale | [501 characters about whale] | about whales |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "summary": ""}
      Then the answer has {"updated": true, "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    Scenario: an update that clears the summary of a fact with 500 characters triggers no warning
      Given a memory with these facts:
        | fact | content | summary |
        | whale | [500 characters about whale] | about whales |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "summary": ""}
      Then the answer has {"updated": true}
      And the answer has no "warnings"

    Scenario: new tags of a long fact trigger the warning
      Given a memory with these facts:
        | fact | content |
        | whale | [501 characters about whale] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": "sea"}
      Then the answer has {"updated": true, "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    Scenario: an update that gives a long fact its summary triggers no warning
      Given a memory with these facts:
        | fact | content |
        | whale | [501 characters about whale] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "summary": "about whales"}
      Then the answer has {"updated": true}
      And the answer has no "warnings"

    Scenario: signs that stand for several letters are one character each
      Given an empty memory
      When another program runs "INSERT INTO facts(content) SELECT replace(hex(zeroblob(300)), '00', '㎏')"
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"long_without_summary": []}
      And the client calls fact_store with {"action": "update", "fact_id": 1, "summary": ""}
      And the answer has no "warnings"

  Rule: An emoji counts as one character
    Lengths MUST count code points, so that a character outside the basic plane, such as an emoji, counts as one.

    @full
    Scenario: 500 emoji trigger no warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[500 emoji]"}
      Then the answer has {"status": "added"}
      And the answer has no "warnings"

    @full
    Scenario: 501 emoji trigger the warning
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "[501 emoji]"}
      Then the answer has {"status": "added", "warnings": ["content 超过 500 字，建议提供 summary 或拆分为多条 fact"]}

    @full
    Scenario: emoji count as one in the penalty and the reports
      Given a memory with these facts:
        | fact | content | tags |
        | long | [501 emoji] | whale |
      When the client searches for "whale" with explanation
      Then the result "long" is explained by {"length_penalty": 0.5988}
      And the client calls fact_store with {"action": "learn"}
      And the answer has {"long_facts": [{"content_length": 501, "penalty": 0.599}]}
      And the client calls fact_store with {"action": "audit"}
      And the answer has {"long_without_summary": [{"content_length": 501}]}

  Rule: FTS5 indexes summary when present
    The full-text index MUST hold the summary of a fact that has one and the content of a fact that has none.

    Scenario: FTS5 matches on summary
      Given a memory with these facts:
        | fact | content | summary |
        | editor | [2000 characters about harbour] | 用户偏好 VS Code |
      When the client searches for "VS Code" with explanation
      Then the results are "editor" in this order
      And the result "editor" is explained by {"length_penalty": 1.0}

    Scenario: FTS5 falls back to content when no summary
      Given a memory with these facts:
        | fact | content |
        | editor | 用户偏好 VS Code |
      When the client searches for "VS Code"
      Then the results are "editor" in this order

    Scenario: a summary that another program writes is searchable
      Given a memory with these facts:
        | fact | content |
        | editor | Olivia writes code in a browser |
      And the fact "editor" has in the file {"summary": "用户偏好 VS Code"}
      When the client searches for "VS Code"
      Then the results are "editor" in this order
      And a search for "browser" returns nothing

  Rule: Backward compatible migration
    Opening a file whose `facts` table lacks `summary` or `last_retrieved_at` MUST add the columns and keep every row and value. While another program keeps such a file locked, it MUST be left as it is, every call MUST be answered within a few seconds with an error that says that the file has to be upgraded first and is locked, and the first call after the lock is gone MUST work.

    Scenario: Existing database gets new columns
      Given a file of version 0.1.4 with these facts:
        | fact | content | category | tags | trust_score | retrieval_count | helpful_count | created_at | updated_at |
        | theme | 用户偏好深色主题 | tool_pref | ui | 0.85 | 28 | 4 | 2025-11-02 08:15:00 | 2025-12-24 18:00:01 |
        | deploy | Deployments happen on Tuesday morning | workflow | ops,ci | 0.4 | 12 | 7 | 2025-10-01 00:00:00 | 2025-10-01 00:00:00 |
        | indent | 缩进统一用四个空格 | coding_style | [empty] | 1.0 | 0 | 0 | 2026-01-01 12:34:56 | 2026-01-02 12:34:56 |
      When the client calls fact_store with {"action": "list"}
      Then the answer has {"count": 3, "total": 3}
      And the file has these facts:
        | fact | content | category | tags | trust_score | retrieval_count | helpful_count | created_at | updated_at | summary | last_retrieved_at |
        | theme | 用户偏好深色主题 | tool_pref | ui | 0.85 | 28 | 4 | 2025-11-02 08:15:00 | 2025-12-24 18:00:01 | [none] | [none] |
        | deploy | Deployments happen on Tuesday morning | workflow | ops,ci | 0.4 | 12 | 7 | 2025-10-01 00:00:00 | 2025-10-01 00:00:00 | [none] | [none] |
        | indent | 缩进统一用四个空格 | coding_style | [empty] | 1.0 | 0 | 0 | 2026-01-01 12:34:56 | 2026-01-02 12:34:56 | [none] | [none] |

    Scenario: a file that lacks one of the columns gains it
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score | retrieval_count |
        | theme | 用户偏好深色主题 | 0.85 | 7 |
      And another program runs "ALTER TABLE facts ADD COLUMN summary TEXT DEFAULT NULL"
      And another program runs "UPDATE facts SET summary = '黑底界面'"
      When the client searches for "黑底"
      Then the results are "theme" in this order
      And the file has these facts:
        | fact | content | summary | trust_score | retrieval_count | last_retrieved_at |
        | theme | 用户偏好深色主题 | 黑底界面 | 0.85 | 8 | [now] |

    Scenario: the columns that a file gains have their types and defaults
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score |
        | theme | 用户偏好深色主题 | 0.85 |
      When the client calls fact_store with {"action": "list"}
      Then the file answers "SELECT name, type, "notnull", coalesce(dflt_value, 'NULL') FROM pragma_table_info('facts') WHERE name IN ('summary', 'last_retrieved_at') ORDER BY name DESC" with [["summary", "TEXT", 0, "NULL"], ["last_retrieved_at", "TEXT", 0, "NULL"]]

    Scenario: the facts of an existing database are searchable at once
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score | retrieval_count |
        | theme | 用户偏好深色主题 | 0.85 | 7 |
        | deploy | Deployments happen on Tuesday morning | 0.4 | 7 |
      When the client searches for "深色"
      Then the results are "theme" in this order
      And a search for "deployments tuesday" returns "deploy"

    Scenario: a second start changes nothing
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score | retrieval_count |
        | theme | 用户偏好深色主题 | 0.85 | 7 |
        | deploy | Deployments happen on Tuesday morning | 0.4 | 7 |
      And the client calls fact_store with {"action": "list"}
      And what the file holds is noted
      When the server restarts
      And the client calls fact_store with {"action": "list"}
      Then the answer has {"count": 2, "total": 2}
      And the tables facts and retrieval_log hold what was noted

    Scenario: a migrated fact takes a summary
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score |
        | theme | 用户偏好深色主题 | 0.85 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of theme]", "summary": "黑底界面"}
      Then the answer has {"updated": true}
      And a search for "黑底界面" returns "theme"
      And a search for "深色" returns nothing

    Scenario: a column that an old file has besides is kept with its values
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score |
        | theme | 用户偏好深色主题 | 0.85 |
      And another program runs "ALTER TABLE facts ADD COLUMN owner TEXT"
      And another program runs "UPDATE facts SET owner = 'Olivia'"
      When the client calls fact_store with {"action": "list"}
      Then the answer has {"count": 1}
      And the file answers "SELECT content, owner FROM facts" with [["用户偏好深色主题", "Olivia"]]

    Scenario: nulls of an old file are kept
      Given a file of version 0.1.4 with these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
      And another program runs "UPDATE facts SET category = NULL, tags = NULL, trust_score = NULL"
      When the client calls fact_store with {"action": "list"}
      Then the answer has {"count": 1}
      And the file answers "SELECT category, tags, trust_score FROM facts" with [[null, null, null]]

    Scenario: an old file that is locked is upgraded as soon as it is not
      Given a file of version 0.1.4 with these facts:
        | fact | content | trust_score |
        | theme | 用户偏好深色主题 | 0.85 |
      And another program keeps the file locked for 15 seconds
      When the client searches for "深色"
      Then the answer is an error that says "upgraded"
      And the answer is an error that says "locked"
      And the file answers "SELECT count(*) FROM pragma_table_info('facts') WHERE name IN ('summary', 'last_retrieved_at')" with [[0]]
      And the other program lets go of the file
      And a search for "深色" returns "theme"
