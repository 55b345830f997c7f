# Made from openspec/specs/retrieval-log/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: retrieval-log
  Record every search with what it returned and how it was scored, so that learning rests on use and so that anyone can see why a fact keeps coming first. The log is bounded, and the facts themselves remember when they were last returned.

  Rule: Search operations automatically log retrieval results
    Every search MUST add one row to `retrieval_log` whose `query` is the text as the client sent it and whose `results` is the compact JSON array `[{"id":…,"score":…},…]` of the returned facts, in the order and with the scores of the answer.

    Scenario: Search logs query and scored results
      Given a memory with these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
        | editor | 用户偏好 VS Code 编辑器 |
        | diet | 用户午饭常吃面条 |
      When the client searches for "用户偏好"
      Then the newest log entry holds the query "用户偏好" with the ids and scores of the answer
      And the log has 1 entry

    Scenario: the log keeps the order of the answer
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | The tea room is upstairs | 0.4 |
        | beta | The tea room is downhill | 0.9 |
      When the client searches for "tea room"
      Then the results are "beta", "alpha" in this order
      And the newest log entry holds the query "tea room" with the ids and scores of the answer

    Scenario: the log's results are compact JSON
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
        | beta | The tea supply runs low |
      When the client searches for "tea"
      Then the file answers "SELECT count(*) FROM retrieval_log WHERE results LIKE '[{"id":%,"score":%},{"id":%,"score":%}]' AND instr(results, ' ') = 0" with [[1]]

    Scenario: each search is one entry
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "tea"
      And the client searches for "room"
      And the client searches for "tea"
      Then the file answers "SELECT query FROM retrieval_log ORDER BY id" with [["tea"], ["room"], ["tea"]]

    Scenario: the query is logged as it was sent
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "  Could you please look up: the TEA room?! "
      Then the newest log entry holds the query "  Could you please look up: the TEA room?! " with the ids and scores of the answer

    Scenario: only the returned facts are logged
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | The tea room is upstairs | 0.9 |
        | beta | The tea supply runs low | 0.5 |
        | gamma | The tea cups are blue | 0.2 |
      When the client searches for "tea" with {"limit": 1}
      Then the results are "alpha" in this order
      And the newest log entry holds the query "tea" with the ids and scores of the answer

    Scenario: Empty search results are still logged
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "完全不存在的查询"
      Then there are no results
      And the file answers "SELECT query, results FROM retrieval_log" with [["完全不存在的查询", "[]"]]

    Scenario: a query without a single word is logged with no results
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "!!"
      Then there are no results
      And the file answers "SELECT query, results FROM retrieval_log" with [["!!", "[]"]]

    Scenario: a long query with line breaks is logged whole
      Given an empty memory
      When the client calls fact_store with {"action": "search", "query": "[600 characters about whale with line breaks and emoji]"}
      Then the file answers "SELECT query FROM retrieval_log" with [["[600 characters about whale with line breaks and emoji]"]]

    Scenario: a search within a category is logged and counted
      Given a memory with these facts:
        | fact | content | category |
        | alpha | The tea room is upstairs | workflow |
        | beta | The tea supply runs low | tool_pref |
      When the client searches for "tea" with {"category": "workflow", "min_trust": 0.1}
      Then the results are "alpha" in this order
      And the newest log entry holds the query "tea" with the ids and scores of the answer
      And the file has these facts:
        | fact | last_retrieved_at | retrieval_count |
        | alpha | [now] | 1 |
        | beta | [none] | 0 |

    Scenario: a search with explanation is logged and counted
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "tea" with explanation
      Then the newest log entry holds the query "tea" with the ids and scores of the answer
      And the file has these facts:
        | fact | last_retrieved_at | retrieval_count |
        | alpha | [now] | 1 |

    Scenario: the log survives a restart
      Given a log with 3 entries
      And the client searches for "tea"
      When the server restarts and has learned
      Then the file answers "SELECT id FROM retrieval_log ORDER BY id" with [[1], [2], [3], [4]]

    Scenario: a refused search is not logged
      Given an empty memory
      When the client calls fact_store with {"action": "search", "query": "tea", "limit": -1}
      Then the answer is an error that says "limit"
      And the log has 0 entries

    Scenario: listing and reading are not logged
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client calls fact_store with {"action": "list"}
      And the client calls fact_store with {"action": "get", "fact_id": "[id of alpha]"}
      And the client searches for "tea"
      Then the file answers "SELECT query FROM retrieval_log" with [["tea"]]

    Scenario: the entry carries the time of the search in UTC
      Given an empty memory
      When the client searches for "tea"
      Then the file's time "SELECT timestamp FROM retrieval_log" is now

    Scenario: the same search twice in a row is logged twice
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "tea"
      And the client searches for "tea"
      Then the file answers "SELECT query FROM retrieval_log ORDER BY id" with [["tea"], ["tea"]]

    Scenario: a query in full-width letters is logged as it came
      Given an empty memory
      When the client searches for "Ｒｅｄｉｓ ①"
      Then the file answers "SELECT query FROM retrieval_log" with [["Ｒｅｄｉｓ ①"]]

    Scenario: each of 120 returned facts is logged and counted
      Given 120 facts like "The tea room # is upstairs"
      When the client searches for "tea" with {"limit": 120}
      Then the answer has 120 entries in "results"
      And the newest log entry holds the query "tea" with the ids and scores of the answer
      And the file answers "SELECT count(*) FROM facts WHERE retrieval_count = 1 AND last_retrieved_at IS NOT NULL" with [[120]]

  Rule: Retrieval log has a size cap
    `retrieval_log` MUST keep at most the 5000 newest entries: whatever exceeds that is deleted, lowest id first, by the next search, add or update.

    Scenario: Auto-prune when exceeding 5000 entries
      Given a log with 5000 entries
      When the client searches for "the newest query"
      Then the log has 5000 entries
      And the file answers "SELECT min(id), max(id) FROM retrieval_log" with [[2, 5001]]
      And the file answers "SELECT query FROM retrieval_log WHERE id = 5001" with [["the newest query"]]

    Scenario: the 5000th entry displaces nothing
      Given a log with 4999 entries
      When the client searches for "the newest query"
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 1, 5000]]

    Scenario: a search shrinks a log that another program filled
      Given a log with 6000 entries
      When the client searches for "the newest query"
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 1002, 6001]]

    Scenario: gaps between the ids cost no entry
      Given a log with 4998 entries
      And another program runs "INSERT INTO retrieval_log(id, query, results) VALUES (90000, 'an entry far off', '[]')"
      When the client searches for "the newest query"
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 1, 90001]]
      And the client searches for "one more"
      And the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 2, 90002]]

    Scenario: the lowest ids go first whatever their times
      Given a log with 4999 entries
      And another program runs "INSERT INTO retrieval_log(id, query, results, timestamp) VALUES (6000, 'an old entry that came late', '[]', '2001-01-01 00:00:00')"
      When the client searches for "the newest query"
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 2, 6001]]
      And the file answers "SELECT count(*) FROM retrieval_log WHERE id = 6000" with [[1]]

    Scenario: an add shrinks a log that another program filled
      Given a log with 6000 entries
      When the client calls fact_store with {"action": "add", "content": "The tea room is upstairs"}
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 1001, 6000]]

    Scenario: an update shrinks a log that another program filled
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      And a log with 6000 entries
      When the client calls fact_store with {"action": "update", "fact_id": "[id of alpha]", "tags": "kitchen"}
      Then the file answers "SELECT count(*), min(id), max(id) FROM retrieval_log" with [[5000, 1001, 6000]]

  Rule: retrieval_log table schema
    The file MUST have the table `retrieval_log` with the columns `id INTEGER PRIMARY KEY AUTOINCREMENT`, `query TEXT NOT NULL`, `results TEXT NOT NULL` and `timestamp TEXT DEFAULT (datetime('now'))`.

    Scenario: Table exists after database initialization
      Given an empty memory
      When the client calls fact_store with {"action": "list"}
      Then the file answers "SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('retrieval_log')" with [["id", "INTEGER", 0, null, 1], ["query", "TEXT", 1, null, 0], ["results", "TEXT", 1, null, 0], ["timestamp", "TEXT", 0, "datetime('now')", 0]]

    Scenario: an entry of another program gets the current time
      Given an empty memory
      When another program runs "INSERT INTO retrieval_log(query, results) VALUES ('tea', '[]')"
      Then the file's time "SELECT timestamp FROM retrieval_log" is now

    Scenario: ids of deleted entries are not given again
      Given a log with 3 entries
      When another program runs "DELETE FROM retrieval_log"
      And the client searches for "tea"
      Then the file answers "SELECT id, query FROM retrieval_log" with [[4, "tea"]]

  Rule: logRetrieval updates last_retrieved_at
    With each log entry the facts that the search returned, and no others, MUST get the current UTC time as `last_retrieved_at` (`YYYY-MM-DD HH:MM:SS`).

    Scenario: last_retrieved_at is updated on retrieval
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | theme | 用户偏好深色主题 | [40 days ago] |
        | editor | 用户偏好 VS Code 编辑器 | [none] |
        | diet | 午饭常吃面条 | [none] |
      When the client searches for "用户偏好"
      Then the results are "theme", "editor" in any order
      And the file has these facts:
        | fact | last_retrieved_at |
        | theme | [now] |
        | editor | [now] |
        | diet | [none] |

    Scenario: facts beyond the limit keep their time
      Given a memory with these facts:
        | fact | content | trust_score | last_retrieved_at |
        | alpha | The tea room is upstairs | 0.9 | [none] |
        | beta | The tea supply runs low | 0.5 | [none] |
      When the client searches for "tea" with {"limit": 1}
      Then the file has these facts:
        | fact | last_retrieved_at | retrieval_count |
        | alpha | [now] | 1 |
        | beta | [none] | 0 |

    Scenario: listing and reading set no time
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
        | beta | The mail goes out at 5 |
      When the client calls fact_store with {"action": "list"}
      And the client calls fact_store with {"action": "get", "fact_id": "[id of alpha]"}
      And the client searches for "mail"
      Then the file has these facts:
        | fact | last_retrieved_at | retrieval_count |
        | alpha | [none] | 0 |
        | beta | [now] | 1 |

  Rule: Each search counts once for what it returned
    A search MUST raise `retrieval_count` of each returned fact by exactly 1, and leave every other value of that fact but `last_retrieved_at` as it was.

    Scenario: three searches count three times
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
        | beta | The mail goes out at 5 |
      When the client searches for "tea"
      And the client searches for "tea"
      And the client searches for "room upstairs"
      Then the file has these facts:
        | fact | retrieval_count |
        | alpha | 3 |
        | beta | 0 |

    Scenario: being found changes neither trust nor the time of the last change
      Given a memory with these facts:
        | fact | content | tags | trust_score | helpful_count | created_at | updated_at |
        | alpha | The tea room is upstairs | kitchen | 0.7 | 4 | [90 days ago] | [80 days ago] |
      And what the file holds is noted
      When the client searches for "tea"
      Then the log has 1 entry
      And the fact "alpha" differs from what was noted in "retrieval_count", "last_retrieved_at" alone
