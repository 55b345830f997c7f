# Made from openspec/specs/fact-store/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: fact-store
  Keep facts for an assistant beyond the session: two tools to add, search, read, change, remove, list and rate them, with answers and errors that a program can rely on, over one file that other programs may read and write as well.

  Rule: The server offers two tools with plain schemas
    The server MUST offer the tools `fact_store` and `fact_feedback`, whose input schemas are flat objects of plain types, with `action` and `category` as enumerations. Since strict clients send nothing else, the schema of `fact_store` MUST also declare `content`, `query`, `tags`, `summary`, `fact_id`, `limit`, `min_trust`, `trust_delta` and `explain`, that of `fact_feedback` `fact_id`.

    Scenario: both tools are listed
      Given an empty memory
      When the client requests "tools/list"
      Then the tools include "fact_store", "fact_feedback"
      And the argument "action" of fact_store offers "add", "search", "get", "update", "remove", "list", "learn", "audit"
      And the argument "category" of fact_store offers "identity", "coding_style", "tool_pref", "workflow", "general"
      And the argument "action" of fact_feedback offers "helpful", "unhelpful"

    Scenario: the schemas are flat objects of plain types
      Given an empty memory
      When the client requests "tools/list"
      Then the schema of fact_store is a flat object of plain types
      And the schema of fact_feedback is a flat object of plain types

    Scenario: the schemas declare what the actions take
      Given an empty memory
      When the client requests "tools/list"
      Then the schema of fact_store declares "content", "query", "tags", "summary", "fact_id", "limit", "min_trust", "trust_delta", "explain"
      And the schema of fact_feedback declares "fact_id"

    Scenario: a ping is answered
      Given an empty memory
      When the client requests "ping"
      Then the request succeeds

    Scenario: an unknown method is refused and the server lives on
      Given an empty memory
      When the client requests "memory/forget"
      Then the request fails
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0}

    Scenario: an unknown tool is refused and the server lives on
      Given an empty memory
      When the client calls fact_forget with {"fact_id": 1}
      Then the call fails
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0}

  Rule: Answers are compact JSON
    The text of an answer MUST be one JSON object, and SHOULD have no spaces between its parts and no escapes for Chinese characters, since each character costs an assistant's context.

    @should
    Scenario: an answer has no spaces and no escaped characters
      Given a memory with these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
      When the client calls fact_store with {"action": "list"}
      Then the text of the answer is compact JSON

    @should
    Scenario: a search is answered in compact JSON
      Given a memory with these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
      When the client searches for "深色" with explanation
      Then the text of the answer is compact JSON

    @should
    Scenario: an error is compact JSON too
      Given an empty memory
      When the client calls fact_store with {"action": "灯塔"}
      Then the text of the error is compact JSON

  Rule: Add stores a fact
    `add` MUST store the content as it is, with the given category, tags and summary, and answer `{"fact_id", "status": "added", "category"}`. A NUL and half a surrogate pair may be stored as U+FFFD, there and in every other text that a client sends; whether spaces beside the commas of tags are kept is left open.

    Scenario: a fact is added with defaults
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | theme | 用户偏好深色主题 |
      Then the answer has {"fact_id": "[id of theme]", "status": "added", "category": "general"}
      And the file has these facts:
        | fact | content | category | tags | summary | trust_score | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | theme | 用户偏好深色主题 | general | [empty] | [none] | 0.5 | 0 | 0 | [none] | [now] | [now] |

    Scenario: a fact is added with category, tags and summary
      Given an empty memory
      When the client adds these facts:
        | fact | content | category | tags | summary |
        | editor | Olivia writes code in Helix 24 | tool_pref | editor,tui | the editor Helix |
      Then the answer has {"fact_id": "[id of editor]", "status": "added", "category": "tool_pref"}
      And the file has these facts:
        | fact | content | category | tags | summary |
        | editor | Olivia writes code in Helix 24 | tool_pref | editor,tui | the editor Helix |

    Scenario: each category is accepted
      Given an empty memory
      When the client adds these facts:
        | fact | content | category |
        | one | The user is Olivia | identity |
        | two | Indent by four spaces | coding_style |
        | four | Deploy on Tuesday | workflow |
        | five | Tea is served at four | general |
        | six | The shell is fish | tool_pref |
      Then the file answers "SELECT category FROM facts ORDER BY fact_id" with [["identity"], ["coding_style"], ["workflow"], ["general"], ["tool_pref"]]

    Scenario: an unknown category is refused and nothing is stored
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Tea is served at four", "category": "drinks"}
      Then the answer is an error that says "category"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    Scenario: long content is stored and returned whole
      Given a memory with these facts:
        | fact | content | summary |
        | book | [28000 characters about 水闸 with line breaks and emoji] | 水闸操作手册 |
      When the client calls fact_store with {"action": "list"}
      Then the result "book" has {"content": "[content of book]", "summary": "水闸操作手册"}
      And the file answers "SELECT length(content) FROM facts" with [[28000]]

    Scenario: spaces and line breaks around the content are kept
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "  indented line\n\tand a tab \n"}
      Then the answer has {"status": "added"}
      And the client calls fact_store with {"action": "list"}
      And the answer has {"facts": [{"content": "  indented line\n\tand a tab \n"}]}

    Scenario: what was added survives a restart
      Given a memory with these facts:
        | fact | content | category | tags | summary |
        | theme | 用户偏好深色主题 | tool_pref | ui | [none] |
      When the server restarts
      And the client calls fact_store with {"action": "list"}
      Then the results are "theme" in this order
      And the result "theme" has {"content": "用户偏好深色主题", "category": "tool_pref", "tags": "ui"}
      And a search for "深色" returns "theme"

    Scenario: content is stored sign by sign
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "It's <b>50%</b> & C:\\temp\\new, \"ﬁne\" ① Ａ Cafe\u0301\r\nnext"}
      Then the answer has {"status": "added"}
      And the file answers "SELECT content FROM facts" with [["It's <b>50%</b> & C:\\temp\\new, \"ﬁne\" ① Ａ Cafe\u0301\r\nnext"]]

    Scenario: tags and summary are stored as given
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea", "tags": "UI,Zed", "summary": " about\n whales "}
      Then the file answers "SELECT tags, summary FROM facts" with [["UI,Zed", " about\n whales "]]

    Scenario: long tags are stored whole
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea", "tags": "[400 characters about harbour]"}
      Then the file answers "SELECT length(tags) FROM facts" with [[400]]

    Scenario: what comes after a NUL is stored and searched
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Whales sleep\u0000 beside the harbour"}
      Then the answer has {"status": "added"}
      And the file answers "SELECT instr(hex(content), hex(' beside the harbour')) > 0 FROM facts" with [[1]]
      And the client calls fact_store with {"action": "search", "query": "zeppelin\u0000 whales"}
      And the answer has {"count": 1}

    Scenario: texts of any length are stored and returned whole
      Given a memory with these facts:
        | fact | content | summary | tags |
        | book | [100000 characters about 水闸 with line breaks and emoji] | [9000 characters about 港口] | [5000 characters about harbour] |
      When the client searches for "港口"
      Then the result "book" has {"content": "[content of book]", "summary": "[9000 characters about 港口]", "tags": "[5000 characters about harbour]"}
      And the client calls fact_store with {"action": "list"}
      And the result "book" has {"content": "[content of book]", "summary": "[9000 characters about 港口]", "tags": "[5000 characters about harbour]"}
      And the client calls fact_store with {"action": "get", "fact_id": "[id of book]"}
      And the result "book" has {"content": "[content of book]", "summary": "[9000 characters about 港口]", "tags": "[5000 characters about harbour]"}
      And the file answers "SELECT length(content), length(summary), length(tags) FROM facts" with [[100000, 9000, 5000]]

  Rule: Adding never overwrites
    An add whose content exists already MUST answer `status: "duplicate"` with the id of the existing fact (and its `category`, if an implementation likes) and change nothing of it; content that differs in a single letter or digit is stored as a fact of its own, under an id that no fact ever had. Whether case, width, spacing and punctuation at the end make a difference is said below, and left open by the core.

    Scenario: the same content again leaves the first fact as it was
      Given a memory with these facts:
        | fact | content | category | tags | trust_score | helpful_count |
        | deploy | 发布脚本放在 tools 仓库的根目录 | workflow | ops | 0.75 | 5 |
      And what the file holds is noted
      When the client calls fact_store with {"action": "add", "content": "发布脚本放在 tools 仓库的根目录", "category": "general", "tags": "misc", "summary": "脚本位置"}
      Then the answer has {"fact_id": "[id of deploy]", "status": "duplicate"}
      And the tables facts and retrieval_log hold what was noted

    Scenario: facts that differ in one digit are both stored
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | one | 合同续签的最后期限是六月21日 |
        | two | 合同续签的最后期限是六月22日 |
        | three | The billing cluster runs Redis 7.1 |
        | four | The billing cluster runs Redis 7.2 |
      Then the file answers "SELECT count(*) FROM facts" with [[4]]
      And a search for "合同续签" returns "one", "two" in any order
      And a search for "billing cluster" returns "three", "four" in any order

    Scenario: ids of removed facts are not given again
      Given a memory with these facts:
        | fact | content |
        | first | Whales sleep at sea |
      And the client calls fact_store with {"action": "remove", "fact_id": "[id of first]"}
      When the client adds these facts:
        | fact | content |
        | second | Harbours open at six |
      Then the id of "second" is higher than that of "first"

    Scenario: long contents that differ at the end are both stored
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | one | [900 characters about whale] |
        | two | [950 characters about whale] |
      Then the answer has {"status": "added"}
      And the file answers "SELECT length(content) FROM facts ORDER BY fact_id" with [[900], [950]]

    Scenario: a duplicate leaves the time of the last change
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | whale | Whales sleep at sea | [50 days ago] | [40 days ago] |
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea"}
      Then the answer has {"status": "duplicate"}
      And the file has these facts:
        | fact | created_at | updated_at |
        | whale | [50 days ago] | [40 days ago] |

    Scenario: ids of removed facts are not given again after a restart
      Given a memory with these facts:
        | fact | content |
        | first | Whales sleep at sea |
      And the client calls fact_store with {"action": "remove", "fact_id": "[id of first]"}
      When the server restarts
      And the client adds these facts:
        | fact | content |
        | second | Harbours open at six |
      Then the id of "second" is higher than that of "first"

  Rule: Normalised duplicates are recognised
    Content that differs from an existing fact in case, width, spacing or punctuation at the end alone MUST be answered as a duplicate (raised and lowered digits are no other width of plain ones, and a dot that stands by itself is no punctuation), and a similar fact (one that shares at least 0.6 of the terms of both) MUST be stored and named under `similar`. An update that makes such a duplicate MUST be done and name the other fact in a warning.

    @full
    Scenario: another case and spacing is a duplicate
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "add", "content": "  TEA is   served at ｆｏｕｒ "}
      Then the answer has {"fact_id": "[id of tea]", "status": "duplicate"}
      And the client calls fact_store with {"action": "add", "content": "Tea is served at four。"}
      And the answer has {"fact_id": "[id of tea]", "status": "duplicate"}
      And the file answers "SELECT content FROM facts" with [["Tea is served at four"]]

    @full
    Scenario: a power of ten and a folder make a difference
      Given a memory with these facts:
        | fact | content |
        | power | The ledger holds 10⁶ entries |
        | folder | Clean up with hoist --sweep . |
      When the client calls fact_store with {"action": "add", "content": "The ledger holds 106 entries"}
      Then the answer has {"status": "added"}
      And the client calls fact_store with {"action": "add", "content": "Clean up with hoist --sweep"}
      And the answer has {"status": "added"}

    @full
    Scenario: a similar fact is stored and the older one named
      Given a memory with these facts:
        | fact | content |
        | old | The staging cluster of the billing team runs Redis 7.1 |
      When the client adds these facts:
        | fact | content |
        | new | The staging cluster of the billing team runs Redis 7.2 |
      Then the answer has {"status": "added", "similar": [{"fact_id": "[id of old]", "content": "The staging cluster of the billing team runs Redis 7.1", "similarity": "[any]"}]}

    @full
    Scenario: a fact with three of five terms in common is similar
      Given a memory with these facts:
        | fact | content |
        | old | alder birch cedar juniper |
      When the client adds these facts:
        | fact | content |
        | new | alder birch cedar maple |
      Then the answer has {"status": "added", "similar": [{"fact_id": "[id of old]", "similarity": 0.6}]}

    @full
    Scenario: of similar facts the most alike is named first
      Given a memory with these facts:
        | fact | content |
        | less | alder birch cedar juniper |
        | more | alder birch cedar maple willow |
      When the client adds these facts:
        | fact | content |
        | new | alder birch cedar maple |
      Then the answer has {"similar": [{"fact_id": "[id of more]", "similarity": 0.8}, {"fact_id": "[id of less]", "similarity": 0.6}]}

    @full
    Scenario: a fact with 13 of 22 terms in common is not similar
      Given a memory with these facts:
        | fact | content |
        | old | alder birch cedar juniper maple willow poplar aspen rowan hazel elm oak ash heron plover curlew robin |
      When the client adds these facts:
        | fact | content |
        | new | alder birch cedar juniper maple willow poplar aspen rowan hazel elm oak ash trout salmon perch carp eel |
      Then the answer has {"status": "added"}
      And the answer has no "similar"

    @full
    Scenario: an update that makes a duplicate names the other fact
      Given a memory with these facts:
        | fact | content | summary |
        | tea | Tea is served at four | 下午茶 |
        | whale | Whales sleep at sea |  |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "TEA is served  at four."}
      Then the answer has {"updated": true}
      And a warning of the answer mentions "same as fact 1"
      And the file answers "SELECT content FROM facts ORDER BY fact_id" with [["Tea is served at four"], ["TEA is served  at four."]]
      And the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "Whales sleep at night"}
      And the answer has no "warnings"

    @full
    Scenario: an update to a duplicate names the other fact beside other changes
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "TEA is served at four", "tags": "kitchen"}
      Then the answer has {"updated": true}
      And a warning of the answer mentions "same as fact 1"

  Rule: Several facts can be added at once
    `add` with `contents` MUST store each item by itself and answer one entry for each, in order: what was added, what is a duplicate, what is refused.

    @full
    Scenario: a refused item leaves the others stored
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
      When the client calls fact_store with {"action": "add", "contents": ["会议室有两块白板", "   ", "Tea is served at four", "访客从东门进"], "category": "workflow"}
      Then the answer has 4 entries in "results"
      And the answer has {"results": [{"status": "added", "category": "workflow"}, {"error": "[any]"}, {"status": "duplicate", "fact_id": "[id of tea]"}, {"status": "added"}]}
      And the file answers "SELECT count(*) FROM facts" with [[3]]
      And a search for "访客" returns 1 fact

  Rule: Search filters before it limits
    `search` MUST choose by `category` and `min_trust` (inclusive, 0.3 by default) first, rank what is left, and then return at most `limit` facts (10 by default) with their count. Whether a `category` outside the enumeration is an error of `search` and `list`, or chooses what another program stored under it, is left open.

    Scenario: ten results by default and as many as asked for
      Given 12 facts like "季度预算第 # 项已经通过"
      When the client searches for "季度预算"
      Then the answer has 10 entries in "results"
      And the answer has {"count": 10}
      And the client searches for "季度预算" with {"limit": 3}
      And the answer has 3 entries in "results"
      And the answer has {"count": 3}

    Scenario: a category is chosen before the limit cuts
      Given 80 facts like "linker options note #"
      And these facts besides:
        | fact | content | category | trust_score |
        | tool | On the second build machine the linker wants a couple of odd options | tool_pref | 0.4 |
      When the client searches for "linker options" with {"limit": 3, "category": "tool_pref"}
      Then the results are "tool" in this order

    Scenario: the category general is one like the others
      Given a memory with these facts:
        | fact | content | category |
        | one | Whales sleep at sea | general |
        | two | Whales sing at night | workflow |
      When the client searches for "whales" with {"category": "general"}
      Then the results are "one" in this order
      And the client calls fact_store with {"action": "list", "category": "general"}
      And the results are "one" in this order

    Scenario: trust is chosen before the limit cuts
      Given 80 facts like "linker options note #"
      And these facts besides:
        | fact | content | trust_score |
        | tool | On the second build machine the linker wants a couple of odd options | 0.95 |
      When the client searches for "linker options" with {"limit": 3, "min_trust": 0.95}
      Then the results are "tool" in this order

    Scenario: a trust of exactly 0.3 is found and one just below is not
      Given a memory with these facts:
        | fact | content | trust_score |
        | exactly | Whales sleep at sea | 0.3 |
        | below | Whales sing at night | 0.2999 |
      When the client searches for "whales"
      Then the results are "exactly" in this order
      And the client searches for "whales" with {"min_trust": 0}
      And the results are "exactly", "below" in any order

    Scenario: a given min_trust is inclusive
      Given a memory with these facts:
        | fact | content | trust_score |
        | exactly | Whales sleep at sea | 0.8 |
        | below | Whales sing at night | 0.7999 |
      When the client searches for "whales" with {"min_trust": 0.8}
      Then the results are "exactly" in this order

    Scenario: a search without explanation returns none
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales"
      Then the result "whale" has no "explain"
      And the answer has {"count": 1}

    Scenario: a search with explanation set to false returns none
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales" with {"explain": false}
      Then the result "whale" has no "explain"

  Rule: The index follows the table
    Search MUST find facts by what they say now: old words of changed and removed facts find nothing, and what another program writes to the file is found as well.

    Scenario: a changed fact is found by its new words alone
      Given a memory with these facts:
        | fact | content |
        | clock | 打卡机放在门厅西侧 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of clock]", "content": "打卡机搬到了二楼走廊"}
      Then a search for "门厅" returns nothing
      And a search for "走廊" returns "clock"

    Scenario: a removed fact is found no more
      Given a memory with these facts:
        | fact | content |
        | clock | 打卡机放在门厅西侧 |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of clock]"}
      Then a search for "打卡机" returns nothing

    Scenario: what another program writes is found
      Given a memory with these facts:
        | fact | content |
        | clock | 打卡机放在门厅西侧 |
      And the client searches for "门厅"
      When another program runs "INSERT INTO facts(content) VALUES ('雨伞放在前台抽屉')"
      And another program runs "UPDATE facts SET content = '打卡机搬到了二楼走廊' WHERE fact_id = 1"
      Then a search for "雨伞" returns 1 fact
      And a search for "走廊" returns "clock"
      And a search for "门厅" returns nothing

    Scenario: what another program removes is found no more
      Given a memory with these facts:
        | fact | content |
        | clock | 打卡机放在门厅西侧 |
      When another program runs "DELETE FROM facts"
      Then a search for "门厅" returns nothing

    Scenario: a summary that comes after a search is searched
      Given a memory with these facts:
        | fact | content |
        | editor | Olivia writes code in a browser |
      And the client searches for "browser"
      When another program runs "UPDATE facts SET summary = 'about lanterns'"
      Then a search for "lanterns" returns "editor"
      And a search for "browser" returns nothing

    Scenario: new tags find a fact and old ones do not
      Given a memory with these facts:
        | fact | content | summary | tags |
        | whale | Whales sleep at sea | about whales | krill |
      And a search for "krill" returns "whale"
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": "lantern"}
      Then a search for "lantern" returns "whale"
      And a search for "krill" returns nothing

  Rule: What another program drops is made anew
    Where another program dropped or replaced the triggers, the index or a table of names, they MUST be made anew before the next answer, while the server runs and at its start, and no fact MUST be lost to search by it.

    @full
    Scenario: facts are found after another program dropped the triggers
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When another program runs "DROP TRIGGER facts_ai"
      And another program runs "INSERT INTO facts(content) VALUES ('Seals sleep on ice')"
      Then a search for "seals" returns 1 fact
      And the client calls fact_store with {"action": "add", "content": "Goats sleep on rocks"}
      And a search for "goats" returns 1 fact

    @full
    Scenario: facts are found after another program dropped the index
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When another program runs "DROP TABLE facts_fts"
      And the server restarts
      Then a search for "whales" returns "whale"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "Seals sleep on ice"}
      And a search for "seals" returns "whale"

    @full
    Scenario: names are found after another program dropped what stands beside the facts
      Given a memory with these facts:
        | fact | content |
        | ship | Olivia moors a boat at pier 6 |
      When another program runs "DROP TABLE IF EXISTS own_links"
      And the server restarts
      And the client calls fact_store with {"action": "update", "fact_id": "[id of ship]", "content": "Kasper moors a boat at pier 6"}
      Then the answer has {"updated": true}
      And the client calls fact_store with {"action": "probe", "entity": "Olivia"}
      And the answer has {"count": 0}
      And another program runs "DROP TABLE IF EXISTS entities"
      And the server restarts
      And the client calls fact_store with {"action": "probe", "entity": "Kasper"}
      And the results are "ship" in this order

  Rule: Rows of other programs may lack values
    A row in which another program left NULL whatever the table lets be NULL MUST be found, listed, read, changed, rated, learned from and audited like any other, as if it had the category `general`, no tags, a trust of 0.5 and counters of 0.

    Scenario: a row with nulls is found, listed, learned from and audited
      Given an empty memory
      When another program runs "INSERT INTO facts(content, category, tags, summary, trust_score, retrieval_count, helpful_count, last_retrieved_at, created_at, updated_at) VALUES ('Whales sleep at sea', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
      And the client calls fact_store with {"action": "list"}
      Then the answer has {"count": 1, "total": 1}
      And a search for "whales" returns 1 fact
      And the file answers "SELECT retrieval_count, last_retrieved_at IS NULL FROM facts" with [[1, 0]]
      And the client calls fact_store with {"action": "learn"}
      And the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}
      And the client calls fact_store with {"action": "audit"}
      And the answer has {"total_facts": 1}

    Scenario: a row with nulls that was often retrieved is audited and demoted
      Given an empty memory
      When another program runs "INSERT INTO facts(content, trust_score, retrieval_count, helpful_count) VALUES ('Whales sleep at sea', NULL, 40, NULL)"
      And the client calls fact_store with {"action": "audit"}
      Then the answer has {"low_helpful_rate": [{"id": 1, "rate": 0, "retrieval_count": 40, "helpful_count": 0}]}
      And the client calls fact_store with {"action": "learn"}
      And the answer has {"demoted": 1, "unchanged": 0}
      And the file answers "SELECT round(trust_score, 4) FROM facts" with [[0.45]]

    Scenario: rows without times are found and listed beside others
      Given an empty memory
      When another program runs "INSERT INTO facts(content, created_at, updated_at) VALUES ('Whale harbour', NULL, NULL), ('Harbour whale', '2025-01-01 00:00:00', '2025-01-01 00:00:00'), ('Whale whale harbour', NULL, NULL)"
      Then a search for "whale harbour" returns 3 facts
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 3}

    Scenario: a row with nulls is rated
      Given an empty memory
      When another program runs "INSERT INTO facts(content, trust_score, helpful_count) VALUES ('Whales sleep at sea', NULL, NULL)"
      And the client calls fact_feedback with {"action": "helpful", "fact_id": 1}
      Then the answer has {"old_trust": 0.5, "new_trust": 0.55, "helpful_count": 1}

    Scenario: a category of another program is found and listed
      Given an empty memory
      When another program runs "INSERT INTO facts(content, category) VALUES ('Whales sleep at sea', 'project')"
      Then a search for "whales" returns 1 fact
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 1, "total": 1, "facts": [{"category": "project"}]}

    Scenario: a row with nulls is read and changed
      Given an empty memory
      When another program runs "INSERT INTO facts(content, category, tags, trust_score, retrieval_count, helpful_count) VALUES ('Whales sleep at sea', NULL, NULL, NULL, NULL, NULL)"
      And the client calls fact_store with {"action": "get", "fact_id": 1}
      Then the answer has {"facts": [{"category": "general", "tags": "", "summary": null, "trust_score": 0.5, "retrieval_count": 0, "helpful_count": 0}]}
      And the client calls fact_store with {"action": "update", "fact_id": 1, "trust_delta": 0.1}
      And the answer has {"updated": true}
      And the file answers "SELECT trust_score FROM facts" with [[0.6]]

    Scenario: a row with nulls is ranked, listed and chosen as what it counts as
      Given an empty memory
      When another program runs "INSERT INTO facts(content, category, trust_score) VALUES ('Whale harbour', 'workflow', 0.4), ('Harbour whale', NULL, NULL), ('Harbour, whale!', 'general', 0.6)"
      And the client searches for "whale harbour" with explanation
      Then the answer has {"count": 3, "results": [{"fact_id": 3}, {"fact_id": 2, "trust_score": 0.5}, {"fact_id": 1}]}
      And every result follows the scoring formula
      And the client searches for "whale harbour" with {"category": "general"}
      And the answer has {"count": 2, "results": [{"fact_id": 3}, {"fact_id": 2}]}
      And the client searches for "whale harbour" with {"min_trust": 0.5}
      And the answer has {"count": 2, "results": [{"fact_id": 3}, {"fact_id": 2}]}
      And the client calls fact_store with {"action": "list"}
      And the answer has {"total": 3, "facts": [{"fact_id": 3}, {"fact_id": 2}, {"fact_id": 1}]}
      And the client calls fact_store with {"action": "list", "category": "general"}
      And the answer has {"total": 2, "facts": [{"fact_id": 3}, {"fact_id": 2}]}
      And the client calls fact_store with {"action": "list", "min_trust": 0.5}
      And the answer has {"total": 2, "facts": [{"fact_id": 3}, {"fact_id": 2}]}

  Rule: Badly encoded text stands in nobody's way
    A row whose text another program did not encode as UTF-8 MUST be answered with U+FFFD in place of what cannot be read, MUST be open to every action, and MUST NOT keep any other fact from an answer.

    @full
    Scenario: a row in another encoding is found, listed, rated, changed and removed
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When another program runs "INSERT INTO facts(content, tags) VALUES (CAST(x'63616ce9206b697769' AS TEXT), CAST(x'6672756974e9' AS TEXT))"
      Then a search for "whales" returns "whale"
      And a search for "kiwi" returns 1 fact
      And the client calls fact_store with {"action": "list", "tags": "fruit�"}
      And the answer has {"total": 1, "facts": [{"fact_id": 2, "content": "cal� kiwi"}]}
      And the client calls fact_feedback with {"action": "helpful", "fact_id": 2}
      And the answer has {"new_trust": 0.55}
      And the client calls fact_store with {"action": "update", "fact_id": 2, "category": "workflow"}
      And the answer has {"updated": true}
      And the client calls fact_store with {"action": "remove", "fact_id": 2}
      And the answer is {"fact_id": 2, "removed": true}
      And the client calls fact_store with {"action": "add", "content": "Seals sleep on ice"}
      And the answer has {"status": "added"}

  Rule: Get returns whole facts
    `get` MUST return the facts with the given ids whole, name the missing ids, and count as no retrieval.

    Scenario: a fact is read by its id
      Given a memory with these facts:
        | fact | content | category | tags | summary | trust_score | retrieval_count | helpful_count |
        | whale | Whales sleep at sea | tool_pref | sea | about whales | 0.8 | 4 | 3 |
        | other | Harbours open at six | general | sea | [none] | 0.5 | 0 | 0 |
      When the client calls fact_store with {"action": "get", "fact_id": "[id of whale]"}
      Then the answer has {"facts": [{"fact_id": "[id of whale]", "content": "Whales sleep at sea", "summary": "about whales", "category": "tool_pref", "tags": "sea", "trust_score": 0.8, "retrieval_count": 4, "helpful_count": 3, "last_retrieved_at": null, "created_at": "[now]", "updated_at": "[now]"}], "count": 1, "missing": []}

    Scenario: reading changes nothing
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      And what the file holds is noted
      When the client calls fact_store with {"action": "get", "fact_id": "[id of whale]"}
      Then the answer has {"count": 1}
      And the tables facts and retrieval_log hold what was noted

    Scenario: a missing id is named
      Given an empty memory
      When the client calls fact_store with {"action": "get", "fact_id": 4711}
      Then the answer has {"facts": [], "count": 0, "missing": [4711]}

    Scenario: a long fact without any trust is returned whole
      Given a memory with these facts:
        | fact | content | trust_score |
        | book | [28000 characters about 水闸 with line breaks and emoji] | 0.0 |
      When the client calls fact_store with {"action": "get", "fact_id": "[id of book]"}
      Then the result "book" has {"content": "[content of book]"}

  Rule: Several facts can be read and removed at once
    `get` and `remove` with `fact_ids` MUST treat each id by itself and name those that do not exist under `missing`.

    @full
    Scenario: several facts are read and a missing one is named
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | Harbours open at six |
      When the client calls fact_store with {"action": "get", "fact_ids": ["[id of two]", 4711, "[id of one]"]}
      Then the results are "one", "two" in any order
      And the answer has {"count": 2, "missing": [4711]}

    @full
    Scenario: several facts are removed and a missing one is named
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | Harbours open at six |
        | three | Cranes are painted yellow |
      When the client calls fact_store with {"action": "remove", "fact_ids": ["[id of one]", 4711, "[id of three]"]}
      Then the answer has {"removed": ["[id of one]", "[id of three]"], "missing": [4711]}
      And the file has these facts:
        | fact | content |
        | two | Harbours open at six |

  Rule: Update changes what is named
    `update` MUST change the named values of a fact and nothing else, set `updated_at`, and answer `{"fact_id", "updated": true}`.

    Scenario: new content keeps everything else
      Given a memory with these facts:
        | fact | content | category | tags | summary | trust_score | retrieval_count | helpful_count | created_at | updated_at |
        | shell | 用户的默认终端是 alacritty | tool_pref | term,gpu | 默认终端 | 0.6 | 7 | 2 | [50 days ago] | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of shell]", "content": "用户的默认终端是 ghostty"}
      Then the answer has {"fact_id": "[id of shell]", "updated": true}
      And the file has these facts:
        | fact | content | category | tags | summary | trust_score | retrieval_count | helpful_count | created_at | updated_at |
        | shell | 用户的默认终端是 ghostty | tool_pref | term,gpu | 默认终端 | 0.6 | 7 | 2 | [50 days ago] | [now] |

    Scenario: new tags keep category and content
      Given a memory with these facts:
        | fact | content | category | tags | updated_at |
        | whale | Whales sleep at sea | tool_pref | sea | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": "ocean,deep"}
      Then the file has these facts:
        | fact | content | category | tags | updated_at |
        | whale | Whales sleep at sea | tool_pref | ocean,deep | [now] |

    Scenario: a new category keeps tags and content
      Given a memory with these facts:
        | fact | content | category | tags |
        | whale | Whales sleep at sea | tool_pref | sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "category": "workflow"}
      Then the file has these facts:
        | fact | content | category | tags |
        | whale | Whales sleep at sea | workflow | sea |

    Scenario: empty tags clear the tags
      Given a memory with these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": ""}
      Then the file has these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | [empty] |

    Scenario: trust moves by trust_delta
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "trust_delta": 0.2}
      Then the file has these facts:
        | fact | trust_score |
        | whale | 0.7 |

    Scenario: a small trust_delta is kept whole
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "trust_delta": 0.0125}
      Then the file has these facts:
        | fact | trust_score |
        | whale | 0.5125 |

    Scenario: trust_delta stays within 0 and 1
      Given a memory with these facts:
        | fact | content | trust_score |
        | high | Whales sleep at sea | 0.9 |
        | low | Harbours open at six | 0.1 |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of high]", "trust_delta": 0.5}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of low]", "trust_delta": -0.5}
      Then the file has these facts:
        | fact | trust_score |
        | high | 1.0 |
        | low | 0.0 |

    Scenario: the empty summary clears the summary
      Given a memory with these facts:
        | fact | content | summary | tags |
        | whale | Whales sleep at sea | about whales | sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "summary": ""}
      Then the file answers "SELECT content, coalesce(summary, ''), tags FROM facts" with [["Whales sleep at sea", "", "sea"]]

    Scenario: an update of a missing fact is an error
      Given an empty memory
      When the client calls fact_store with {"action": "update", "fact_id": 4711, "content": "Whales sleep at sea"}
      Then the answer is an error that says "4711 not found"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    Scenario: an update to the content of another fact is refused
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | Harbours open at six |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of two]", "content": "Whales sleep at sea"}
      Then the answer is an error
      And the file has these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | Harbours open at six |

    Scenario: an update with an unknown category is refused
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "category": "drinks"}
      Then the answer is an error that says "category"
      And the file has these facts:
        | fact | category |
        | whale | general |

    Scenario: a refused update changes nothing
      Given a memory with these facts:
        | fact | content | tags | updated_at |
        | whale | Whales sleep at sea | sea | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": "ocean", "trust_delta": 0.2, "category": "drinks"}
      Then the answer is an error that says "category"
      And the file has these facts:
        | fact | content | tags | trust_score | updated_at |
        | whale | Whales sleep at sea | sea | 0.5 | [40 days ago] |

    Scenario: an update to nothing but spaces is refused
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "   "}
      Then the answer is an error that says "content"
      And the file has these facts:
        | fact | content |
        | whale | Whales sleep at sea |

    Scenario: an update to what the fact says already is done
      Given a memory with these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "Whales sleep at sea", "tags": "ocean"}
      Then the answer has {"updated": true}
      And the file has these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | ocean |

    Scenario: new content keeps the time of the last retrieval
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | whale | Whales sleep at sea | [61 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "Whales sing at sea"}
      Then the file has these facts:
        | fact | content | last_retrieved_at |
        | whale | Whales sing at sea | [61 days ago] |

    Scenario: each change sets the time of the last change
      Given a memory with these facts:
        | fact | content | updated_at |
        | trust | Whales sleep at sea | [40 days ago] |
        | group | Whales sing at night | [40 days ago] |
        | short | Whales eat krill | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of trust]", "trust_delta": 0.1}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of group]", "category": "workflow"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of short]", "summary": "about krill"}
      Then the file has these facts:
        | fact | updated_at |
        | trust | [now] |
        | group | [now] |
        | short | [now] |

    Scenario: an update to the content of another fact changes nothing else
      Given a memory with these facts:
        | fact | content | tags | updated_at |
        | one | Whales sleep at sea | sea | [40 days ago] |
        | two | Harbours open at six | ports | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of two]", "content": "Whales sleep at sea", "tags": "ocean", "trust_delta": 0.2}
      Then the answer is an error
      And the file has these facts:
        | fact | tags | trust_score | updated_at |
        | one | sea | 0.5 | [40 days ago] |
        | two | ports | 0.5 | [40 days ago] |

    Scenario: an update keeps new content sign by sign
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "  Ａ ①\n\tline \n"}
      Then the file answers "SELECT content FROM facts" with [["  Ａ ①\n\tline \n"]]

    Scenario: a summary that an update gives is stored whole
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "summary": "[600 characters about krill]"}
      Then the file answers "SELECT summary FROM facts" with [["[600 characters about krill]"]]

    Scenario: everything that an update names at once is changed
      Given a memory with these facts:
        | fact | content | category | tags | summary | trust_score | updated_at |
        | whale | Whales sleep at sea | tool_pref | sea | about whales | 0.5 | [40 days ago] |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "content": "Seals sleep on ice", "category": "workflow", "tags": "ice,cold", "summary": "about seals", "trust_delta": 0.25}
      Then the answer has {"fact_id": "[id of whale]", "updated": true}
      And the file has these facts:
        | fact | content | category | tags | summary | trust_score | updated_at |
        | whale | Seals sleep on ice | workflow | ice,cold | about seals | 0.75 | [now] |

    Scenario: no change of one value touches another
      Given a memory with these facts:
        | fact | content | category | tags | summary | trust_score | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | text | Whales sleep at sea | tool_pref | sea | about whales | 0.6 | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
        | group | Whales sing at night | tool_pref | song | about songs | 0.6 | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
        | tags | Whales eat krill | tool_pref | food | about krill | 0.6 | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
        | short | Seals sleep on ice | tool_pref | ice | about seals | 0.6 | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
        | trust | Harbours open at six | tool_pref | port | about ports | 0.6 | 7 | 2 | [10 days ago] | [50 days ago] | [40 days ago] |
      And what the file holds is noted
      When the client calls fact_store with {"action": "update", "fact_id": "[id of text]", "content": "Whales sleep at night"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of group]", "category": "workflow"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of tags]", "tags": "krill"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of short]", "summary": "about ice"}
      And the client calls fact_store with {"action": "update", "fact_id": "[id of trust]", "trust_delta": -0.25}
      Then the fact "text" differs from what was noted in "content", "updated_at" alone
      And the fact "group" differs from what was noted in "category", "updated_at" alone
      And the fact "tags" differs from what was noted in "tags", "updated_at" alone
      And the fact "short" differs from what was noted in "summary", "updated_at" alone
      And the fact "trust" differs from what was noted in "trust_score", "updated_at" alone

  Rule: Remove tells removed from missing
    `remove` MUST delete the fact with the given id for good and answer `{"fact_id", "removed"}`, where `removed` is false if there was no such fact. Other facts and the log of searches stay.

    Scenario: a fact is removed and the others stay
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
        | two | Harbours open at six |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of one]"}
      Then the answer has {"fact_id": "[id of one]", "removed": true}
      And the file has these facts:
        | fact | content |
        | two | Harbours open at six |

    Scenario: a missing fact is reported as not removed
      Given a memory with these facts:
        | fact | content |
        | one | Whales sleep at sea |
      When the client calls fact_store with {"action": "remove", "fact_id": 4711}
      Then the answer has {"fact_id": 4711, "removed": false}
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    Scenario: the content of a removed fact is added anew
      Given a memory with these facts:
        | fact | content | trust_score |
        | first | Whales sleep at sea | 0.9 |
      And the client calls fact_store with {"action": "remove", "fact_id": "[id of first]"}
      When the client adds these facts:
        | fact | content |
        | second | Whales sleep at sea |
      Then the answer has {"status": "added"}
      And the file has these facts:
        | fact | content | trust_score |
        | second | Whales sleep at sea | 0.5 |
      And a search for "whales" returns "second"

    Scenario: a removal leaves the log
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      And the client searches for "whales"
      And the log has 1 entry
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of whale]"}
      Then the answer has {"removed": true}
      And the file answers "SELECT query FROM retrieval_log" with [["whales"]]

  Rule: List shows the most trusted facts
    `list` MUST return facts by descending trust, of all categories unless one is given, of every trust from `min_trust` (0 by default) up, at most `limit` (10 by default), with `count` (how many are in the answer) and `total` (how many there are). The order of facts of equal trust is left open.

    Scenario: the most trusted come first from all categories
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | mid | Whales sleep at sea | general | 0.5 |
        | low | Harbours open at six | workflow | 0.0 |
        | high | Cranes are painted yellow | tool_pref | 0.9 |
      When the client calls fact_store with {"action": "list"}
      Then the results are "high", "mid", "low" in this order
      And the answer has {"count": 3, "total": 3}

    Scenario: a category is listed alone
      Given a memory with these facts:
        | fact | content | category |
        | one | Whales sleep at sea | general |
        | two | Harbours open at six | workflow |
      When the client calls fact_store with {"action": "list", "category": "workflow"}
      Then the results are "two" in this order
      And the answer has {"count": 1, "total": 1}

    Scenario: min_trust is inclusive
      Given a memory with these facts:
        | fact | content | trust_score |
        | exactly | Whales sleep at sea | 0.6 |
        | below | Harbours open at six | 0.5999 |
      When the client calls fact_store with {"action": "list", "min_trust": 0.6}
      Then the results are "exactly" in this order
      And the answer has {"count": 1, "total": 1}

    Scenario: a trust of 0 is shown as it is
      Given a memory with these facts:
        | fact | content | trust_score |
        | none | Whales sleep at sea | 0.0 |
      When the client calls fact_store with {"action": "list"}
      Then the result "none" has {"trust_score": 0}
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of none]"}
      And the answer has {"old_trust": 0, "new_trust": 0.05}

    Scenario: ten facts by default and the total beside them
      Given 12 facts like "季度预算第 # 项已经通过"
      When the client calls fact_store with {"action": "list"}
      Then the answer has 10 entries in "facts"
      And the answer has {"count": 10, "total": 12}

    Scenario: a listed fact carries every field
      Given a memory with these facts:
        | fact | content | tags |
        | whale | Whales sleep at sea | sea |
      When the client calls fact_store with {"action": "list"}
      Then the answer has {"facts": [{"fact_id": "[id of whale]", "content": "Whales sleep at sea", "summary": null, "category": "general", "tags": "sea", "trust_score": 0.5, "retrieval_count": 0, "helpful_count": 0, "last_retrieved_at": null, "created_at": "[now]", "updated_at": "[now]"}], "count": 1, "total": 1}

    Scenario: the most trusted of many come before the limit cuts
      Given 12 facts like "季度预算第 # 项已经通过"
      And these facts besides:
        | fact | content | category | trust_score |
        | best | Whales sleep at sea | workflow | 0.9 |
        | last | Seals sleep on ice | workflow | 0.1 |
      When the client calls fact_store with {"action": "list", "limit": 1}
      Then the results are "best" in this order
      And the client calls fact_store with {"action": "list", "category": "workflow", "limit": 2}
      And the results are "best", "last" in this order

    Scenario: a trust of many places is shown whole
      Given a memory with these facts:
        | fact | content | trust_score |
        | whale | Whales sleep at sea | 0.8125 |
      When the client searches for "whales"
      Then the result "whale" has {"trust_score": 0.8125}
      And the client calls fact_store with {"action": "list"}
      And the result "whale" has {"trust_score": 0.8125}

    Scenario: trusts that differ in the fourth place are listed in their order
      Given a memory with these facts:
        | fact | content | trust_score |
        | low | Whales sleep at sea | 0.5301 |
        | high | Harbours open at six | 0.5303 |
        | mid | Cranes are painted yellow | 0.5302 |
      When the client calls fact_store with {"action": "list"}
      Then the results are "high", "mid", "low" in this order

  Rule: Answers can be kept small
    `search` with `brief` MUST return id, score, category and the match text cut at 200 characters; `search` and `list` MUST filter by `tags`, `after` and `before`, and `list` MUST skip `offset` facts.

    @full
    Scenario: a brief result holds the match text alone
      Given a memory with these facts:
        | fact | content | category |
        | whale | [1000 characters about whale] | tool_pref |
      When the client searches for "whale" with {"brief": true}
      Then the results are "whale" in this order
      And the result "whale" has no "summary"
      And the text of the answer is shorter than 350 characters

    @full
    Scenario: a tag selects facts
      Given a memory with these facts:
        | fact | content | tags |
        | one | Whales sleep at sea | sea,deep |
        | two | Whales sing at night | song |
      When the client searches for "whales" with {"tags": "deep"}
      Then the results are "one" in this order
      And the client calls fact_store with {"action": "list", "tags": "song"}
      And the results are "two" in this order

    @full
    Scenario: a time of change selects facts
      Given a memory with these facts:
        | fact | content | updated_at |
        | old | Whales sleep at sea | [20 days ago] |
        | new | Whales sing at night | [2 days ago] |
      When the client searches for "whales" with {"after": "7d"}
      Then the results are "new" in this order
      And the client searches for "whales" with {"before": "7d"}
      And the results are "old" in this order
      And the client calls fact_store with {"action": "list", "after": "[7 days ago]"}
      And the results are "new" in this order
      And the client calls fact_store with {"action": "list", "before": "[7 days ago]"}
      And the results are "old" in this order

    @full
    Scenario: an offset skips the first facts
      Given a memory with these facts:
        | fact | content | trust_score |
        | high | Whales sleep at sea | 0.9 |
        | mid | Harbours open at six | 0.8 |
        | low | Cranes are painted yellow | 0.7 |
      When the client calls fact_store with {"action": "list", "limit": 1, "offset": 1}
      Then the results are "mid" in this order
      And the answer has {"count": 1, "total": 3}

  Rule: Limits are checked
    A `limit` below 1, or one with a fraction, MUST be an error that changes nothing, and one above 1000 MUST count as 1000. A whole number may be written with a point (`2.0`), an id too.

    Scenario: a limit of 0 is refused
      Given an empty memory
      When the client calls fact_store with {"action": "search", "query": "whales", "limit": 0}
      Then the answer is an error that says "limit"
      And the client calls fact_store with {"action": "list", "limit": 0}
      And the answer is an error that says "limit"
      And the client calls fact_store with {"action": "learn", "limit": 0}
      And the answer is an error that says "limit"
      And the client calls fact_store with {"action": "audit", "limit": 0}
      And the answer is an error that says "limit"

    Scenario: a negative limit is refused
      Given an empty memory
      When the client calls fact_store with {"action": "search", "query": "whales", "limit": -1}
      Then the answer is an error that says "limit"
      And the client calls fact_store with {"action": "list", "limit": -1}
      And the answer is an error that says "limit"

    Scenario: a limit of 1 is the smallest
      Given 2 facts like "季度预算第 # 项已经通过"
      When the client calls fact_store with {"action": "list", "limit": 1}
      Then the answer has {"count": 1, "total": 2}

    Scenario: 1000 facts are the most that an answer lists
      Given 1001 facts like "Whale #"
      When the client calls fact_store with {"action": "list", "limit": 1000000}
      Then the answer has 1000 entries in "facts"
      And the answer has {"count": 1000, "total": 1001}

    Scenario: a huge limit returns what there is
      Given 12 facts like "季度预算第 # 项已经通过"
      When the client searches for "季度预算" with {"limit": 1000000}
      Then the answer has 12 entries in "results"

    Scenario: 1000 results are the most of a search
      Given 1001 facts like "Whale #"
      When the client searches for "whale" with {"limit": 1000000}
      Then the answer has 1000 entries in "results"

    Scenario: 1000 long facts are the most of a report
      Given 1001 facts like "[600 characters about whale #]"
      When the client calls fact_store with {"action": "learn", "limit": 1000000}
      Then the answer has 1000 entries in "long_facts"

    Scenario: a refused learn changes nothing
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | noisy | Whales sleep at sea | 100 | 2 |
      When the client calls fact_store with {"action": "learn", "limit": 0}
      Then the answer is an error that says "limit"
      And the file has these facts:
        | fact | trust_score |
        | noisy | 0.5 |

    Scenario: a negative limit of learn and audit is refused
      Given an empty memory
      When the client calls fact_store with {"action": "learn", "limit": -1}
      Then the answer is an error that says "limit"
      And the client calls fact_store with {"action": "audit", "limit": -1}
      And the answer is an error that says "limit"

    Scenario: a limit of any size counts as 1000
      Given an empty memory
      When the client calls fact_store with {"action": "list", "limit": 100000000000000000000}
      Then the answer has {"count": 0}

    Scenario: a limit has no fraction, however it is written
      Given 3 facts like "周例会第 # 项议题"
      When the client calls fact_store with {"action": "list", "limit": 2.5}
      Then the answer is an error that says "limit"
      And the client calls fact_store with {"action": "list", "limit": 2.0}
      And the answer has {"count": 2}
      And the client calls fact_store with {"action": "get", "fact_id": 3.0}
      And the answer has {"count": 1}

  Rule: Feedback moves trust
    `fact_feedback` MUST raise trust by 0.05 and `helpful_count` by 1 for `helpful`, lower trust by 0.10 for `unhelpful`, keep trust within 0 and 1, change nothing else of the fact, and answer `{"fact_id", "old_trust", "new_trust", "helpful_count"}`.

    Scenario: helpful raises trust by 0.05
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      Then the answer has {"fact_id": "[id of whale]", "old_trust": 0.5, "new_trust": 0.55, "helpful_count": 1}
      And the file has these facts:
        | fact | trust_score | helpful_count | retrieval_count |
        | whale | 0.55 | 1 | 0 |

    Scenario: unhelpful lowers trust by 0.10
      Given a memory with these facts:
        | fact | content | helpful_count |
        | whale | Whales sleep at sea | 3 |
      When the client calls fact_feedback with {"action": "unhelpful", "fact_id": "[id of whale]"}
      Then the answer has {"fact_id": "[id of whale]", "old_trust": 0.5, "new_trust": 0.4, "helpful_count": 3}
      And the file has these facts:
        | fact | trust_score | helpful_count |
        | whale | 0.4 | 3 |

    Scenario: trust keeps more than two places
      Given a memory with these facts:
        | fact | content | trust_score |
        | whale | Whales sleep at sea | 0.8125 |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      Then the answer has {"old_trust": 0.8125, "new_trust": 0.8625}
      And the file has these facts:
        | fact | trust_score |
        | whale | 0.8625 |

    Scenario: feedback changes nothing but trust and count
      Given a memory with these facts:
        | fact | content | tags | retrieval_count | last_retrieved_at | created_at | updated_at |
        | whale | Whales sleep at sea | sea | 4 | [10 days ago] | [50 days ago] | [40 days ago] |
      And what the file holds is noted
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      Then the fact "whale" differs from what was noted in "trust_score", "helpful_count" alone

    Scenario: trust stops at 1
      Given a memory with these facts:
        | fact | content | trust_score |
        | whale | Whales sleep at sea | 0.98 |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      Then the answer has {"fact_id": "[id of whale]", "old_trust": 0.98, "new_trust": 1.0, "helpful_count": 1}
      And the file has these facts:
        | fact | trust_score |
        | whale | 1.0 |

    Scenario: trust stops at 0
      Given a memory with these facts:
        | fact | content | trust_score |
        | whale | Whales sleep at sea | 0.04 |
      When the client calls fact_feedback with {"action": "unhelpful", "fact_id": "[id of whale]"}
      Then the answer has {"fact_id": "[id of whale]", "old_trust": 0.04, "new_trust": 0.0, "helpful_count": 0}
      And the file has these facts:
        | fact | trust_score |
        | whale | 0.0 |

    Scenario: feedback survives a restart
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
        | other | Harbours open at six |
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of other]"}
      When the server restarts
      And the client calls fact_store with {"action": "list"}
      Then the results are "other", "whale" in this order
      And the result "other" has {"trust_score": 0.55, "helpful_count": 1}

    Scenario: feedback for a missing fact is an error
      Given an empty memory
      When the client calls fact_feedback with {"action": "helpful", "fact_id": 4711}
      Then the answer is an error that says "4711 not found"

    Scenario: a negative id is no other fact's
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": -1}
      Then the answer is an error that says "-1 not found"
      And the file has these facts:
        | fact | trust_score | helpful_count |
        | whale | 0.5 | 0 |

    Scenario: feedback of an unknown kind is an error
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "great", "fact_id": "[id of whale]"}
      Then the answer is an error that says "Unknown action: great"
      And the file has these facts:
        | fact | trust_score | helpful_count |
        | whale | 0.5 | 0 |

    Scenario: unhelpful changes trust alone
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at | updated_at |
        | whale | Whales sleep at sea | 4 | 2 | [10 days ago] | [40 days ago] |
      And what the file holds is noted
      When the client calls fact_feedback with {"action": "unhelpful", "fact_id": "[id of whale]"}
      Then the fact "whale" differs from what was noted in "trust_score" alone

    Scenario: help counts at a trust of 1
      Given a memory with these facts:
        | fact | content | trust_score |
        | whale | Whales sleep at sea | 1.0 |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of whale]"}
      Then the answer has {"old_trust": 1.0, "new_trust": 1.0, "helpful_count": 1}

  Rule: Errors say what to do
    A call that cannot be done MUST be answered as a tool error (`isError`) with the JSON object `{"error": "…"}`, which says what is wrong without a traceback or a message of the database, and the server MUST live on. A required text of nothing but white space is an error that names the argument, and is not searched for or logged.

    Scenario: an unknown action is named
      Given an empty memory
      When the client calls fact_store with {"action": "forget_all"}
      Then the answer is an error that says "Unknown action: forget_all"

    Scenario: a missing action is named
      Given an empty memory
      When the client calls fact_store with {}
      Then the answer is an error that says "Missing required argument: action"

    Scenario: a call without arguments is an error
      Given an empty memory
      When the client requests "tools/call" with {"name": "fact_store"}
      Then the request or its result is an error
      And the client requests "tools/call" with {"name": "fact_store", "arguments": null}
      And the request or its result is an error
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0}

    Scenario: an add without content names the argument
      Given an empty memory
      When the client calls fact_store with {"action": "add"}
      Then the answer is an error that says "Missing required argument: content"

    Scenario: an add of nothing but spaces is refused
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "   "}
      Then the answer is an error that says "content"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    Scenario: an add of an empty text is refused
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": ""}
      Then the answer is an error that says "content"
      And the file answers "SELECT count(*) FROM facts" with [[0]]

    Scenario: a search without a query names the argument
      Given an empty memory
      When the client calls fact_store with {"action": "search"}
      Then the answer is an error that says "Missing required argument: query"

    Scenario: an update without an id names the argument
      Given an empty memory
      When the client calls fact_store with {"action": "update", "content": "Whales sleep at sea"}
      Then the answer is an error that says "Missing required argument: fact_id"

    Scenario: a removal without an id names the argument
      Given an empty memory
      When the client calls fact_store with {"action": "remove"}
      Then the answer is an error that says "Missing required argument: fact_id"

    Scenario: feedback without an id names the argument
      Given an empty memory
      When the client calls fact_feedback with {"action": "helpful"}
      Then the answer is an error that says "Missing required argument: fact_id"

    Scenario: feedback without an action names the argument
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"fact_id": "[id of whale]"}
      Then the answer is an error that says "Missing required argument: action"
      And the file has these facts:
        | fact | trust_score |
        | whale | 0.5 |

    Scenario: an argument of a senseless type is refused
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "the one about whales", "tags": "sea"}
      Then the answer is an error that says "fact_id"

    Scenario: a broken number is no id
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": 1.5}
      Then the answer is an error that says "fact_id"
      And the file has these facts:
        | fact | trust_score |
        | whale | 0.5 |

    Scenario: an id beyond all ids is an error and the server lives on
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": 99999999999999999999}
      Then the answer is an error
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 1}

    Scenario: the server lives on after an error
      Given an empty memory
      When the client calls fact_store with {"action": "forget_all"}
      Then the answer is an error
      And the client calls fact_store with {"action": "add", "content": "Whales sleep at sea"}
      And the answer has {"status": "added"}

    Scenario: a get without an id names the argument
      Given an empty memory
      When the client calls fact_store with {"action": "get"}
      Then the answer is an error that says "Missing required argument: fact_id"

    Scenario: an id that is no whole number removes nothing
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "remove", "fact_id": 1.5}
      Then the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "remove", "fact_id": true}
      And the answer is an error that says "fact_id"
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    Scenario: names that objects of some languages have are no actions
      Given an empty memory
      When the client calls fact_store with {"action": "constructor"}
      Then the answer is an error that says "Unknown action: constructor"
      And the client calls fact_store with {"action": "__proto__"}
      And the answer is an error that says "Unknown action: __proto__"
      And the client calls fact_feedback with {"action": "toString", "fact_id": 1}
      And the answer is an error that says "Unknown action: toString"

    Scenario: any white space is nothing
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "The tea room is upstairs", "summary": "\n\t　"}
      Then a search for "upstairs" returns 1 fact
      And the client calls fact_store with {"action": "add", "content": "\n\t　"}
      And the answer is an error that says "content"
      And the client calls fact_store with {"action": "update", "fact_id": 1, "content": "\n\t　"}
      And the answer is an error that says "content"
      And the file answers "SELECT count(*) FROM facts" with [[1]]

    Scenario: a query of white space is refused and not logged
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "search", "query": ""}
      Then the answer is an error that says "query"
      And the client calls fact_store with {"action": "search", "query": " \n　"}
      And the answer is an error that says "query"
      And the log has 0 entries

    Scenario: arguments of senseless types are refused and the server lives on
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "search", "query": "whales", "limit": "many"}
      Then the answer is an error that says "limit"
      And the client calls fact_store with {"action": "list", "min_trust": "high"}
      And the answer is an error that says "min_trust"
      And the client calls fact_store with {"action": "update", "fact_id": 1, "trust_delta": "much"}
      And the answer is an error that says "trust_delta"
      And the client calls fact_store with {"action": "add", "content": {"text": "Tea"}}
      And the answer is an error that says "content"
      And the client calls fact_store with {"action": "add", "content": "Tea is served", "summary": {"text": "Tea"}}
      And the answer is an error that says "summary"
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 1}

    Scenario: what is no whole number is an id for no action
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "get", "fact_id": "the one about whales"}
      Then the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "get", "fact_id": 1.5}
      And the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "get", "fact_id": true}
      And the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "remove", "fact_id": "the one about whales"}
      And the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "update", "fact_id": 1.5, "tags": "sea"}
      And the answer is an error that says "fact_id"
      And the client calls fact_store with {"action": "update", "fact_id": true, "tags": "sea"}
      And the answer is an error that says "fact_id"
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "the one about whales"}
      And the answer is an error that says "fact_id"
      And the client calls fact_feedback with {"action": "helpful", "fact_id": true}
      And the answer is an error that says "fact_id"
      And the file answers "SELECT tags, trust_score, helpful_count FROM facts" with [["", 0.5, 0]]

    Scenario: objects are no texts and texts no numbers
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "add", "content": "Tea is served", "tags": {"one": "tea"}}
      Then the answer is an error that says "tags"
      And the client calls fact_store with {"action": "add", "content": "Tea is served", "category": {"one": "general"}}
      And the answer is an error that says "category"
      And the client calls fact_store with {"action": "update", "fact_id": 1, "content": {"text": "Tea"}}
      And the answer is an error that says "content"
      And the client calls fact_store with {"action": "update", "fact_id": 1, "tags": {"one": "tea"}}
      And the answer is an error that says "tags"
      And the client calls fact_store with {"action": "update", "fact_id": 1, "summary": {"text": "Tea"}}
      And the answer is an error that says "summary"
      And the client calls fact_store with {"action": "search", "query": {"text": "whales"}}
      And the answer is an error that says "query"
      And the client calls fact_store with {"action": "search", "query": "whales", "min_trust": "high"}
      And the answer is an error that says "min_trust"
      And the client calls fact_store with {"action": "list", "limit": "many"}
      And the answer is an error that says "limit"
      And the file answers "SELECT content, category, tags, summary, retrieval_count FROM facts" with [["Whales sleep at sea", "general", "", null, 0]]
      And the log has 0 entries

    Scenario: a file that is locked for long is told of without the database's words
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      And another program keeps the file locked for 8 seconds
      When the client calls fact_store with {"action": "add", "content": "Tea is served"}
      Then the answer is a success, or an error without the words of the database
      And the other program lets go of the file
      And the client calls fact_store with {"action": "add", "content": "Seals sleep on ice"}
      And the answer has {"status": "added"}

  Rule: A null argument is one not given
    An argument that is `null` MUST be treated as if it were left out.

    Scenario: nulls in an add are left out
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea", "category": null, "tags": null, "summary": null, "fact_id": null}
      Then the answer has {"status": "added", "category": "general"}
      And the file answers "SELECT category, tags, summary FROM facts" with [["general", "", null]]

    Scenario: nulls in a search are left out
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales" with {"category": null, "limit": null, "min_trust": null, "explain": null}
      Then the results are "whale" in this order

    Scenario: nulls in an update erase nothing
      Given a memory with these facts:
        | fact | content | summary | category | tags |
        | whale | Whales sleep at sea | about whales | tool_pref | sea |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of whale]", "tags": "ocean", "content": null, "summary": null, "category": null, "trust_delta": null}
      Then the answer has {"updated": true}
      And the file has these facts:
        | fact | content | summary | category | tags | trust_score |
        | whale | Whales sleep at sea | about whales | tool_pref | ocean | 0.5 |

    Scenario: a required argument that is null is missing
      Given an empty memory
      When the client calls fact_store with {"action": "add", "content": null}
      Then the answer is an error that says "Missing required argument: content"

    Scenario: nulls in a list, a learn and an audit are left out
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "list", "limit": null, "min_trust": null, "category": null}
      Then the answer has {"count": 1, "total": 1}
      And the client calls fact_store with {"action": "learn", "limit": null}
      And the answer has {"unchanged": 1}
      And the client calls fact_store with {"action": "audit", "limit": null}
      And the answer has {"total_facts": 1}

    Scenario: required arguments that are null are missing
      Given an empty memory
      When the client calls fact_feedback with {"action": "helpful", "fact_id": null}
      Then the answer is an error that says "Missing required argument: fact_id"
      And the client calls fact_store with {"action": null}
      And the answer is an error that says "Missing required argument: action"
      And the client calls fact_store with {"action": "search", "query": null}
      And the answer is an error that says "Missing required argument: query"

  Rule: Numbers and booleans may come as text
    An argument whose meaning is beyond doubt, such as a number, a boolean or a list written as text, MUST be accepted.

    @full
    Scenario: numbers and booleans in quotes are accepted
      Given 3 facts like "周例会第 # 项议题"
      When the client searches for "例会议题" with {"limit": "2", "min_trust": "0.3", "explain": "true"}
      Then the answer has 2 entries in "results"
      And every result follows the scoring formula

    @full
    Scenario: an id in quotes is accepted
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_feedback with {"action": "helpful", "fact_id": "1"}
      Then the answer has {"fact_id": "[id of whale]", "new_trust": 0.55}

    @full
    Scenario: a list written as JSON text is accepted
      Given an empty memory
      When the client calls fact_store with {"action": "add", "contents": "[\"Whales sleep at sea\", \"Harbours open at six\"]"}
      Then the answer has 2 entries in "results"
      And the file answers "SELECT count(*) FROM facts" with [[2]]

    @full
    Scenario: tags written as JSON text are a list of tags
      Given a memory with these facts:
        | fact | content | tags |
        | other | Whales eat krill | blue |
      When the client calls fact_store with {"action": "add", "content": "Whales sleep at sea", "tags": "[\"red\", \"blue\"]"}
      Then the file answers "SELECT tags FROM facts WHERE fact_id = 2" with [["red,blue"]]
      And the client calls fact_store with {"action": "update", "fact_id": 1, "tags": "[\"green\", \"blue\"]"}
      And the file answers "SELECT tags FROM facts WHERE fact_id = 1" with [["green,blue"]]
      And the client calls fact_store with {"action": "list", "tags": "[\"blue\", \"red\"]"}
      And the answer has {"count": 1, "facts": [{"fact_id": 2}]}

    @full
    Scenario: a trust_delta in quotes is accepted
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "update", "fact_id": "1", "trust_delta": "0.2"}
      Then the file has these facts:
        | fact | trust_score |
        | whale | 0.7 |

  Rule: The file is a public contract
    The memory MUST be the SQLite file `~/.mnemo/facts.db` with the table `facts` and its documented columns, types and defaults (category `'general'`, tags `''`, trust 0.5, counters 0, else NULL), times in UTC. Which default the columns of times have is left open, as long as it is in UTC.

    Scenario: the table facts has its columns
      Given an empty memory
      When the client calls fact_store with {"action": "list"}
      Then the file answers "SELECT name, type, "notnull", pk FROM pragma_table_info('facts') WHERE name IN ('fact_id', 'content', 'category', 'tags', 'trust_score', 'retrieval_count', 'helpful_count', 'created_at', 'updated_at') ORDER BY name" with [["category", "TEXT", 0, 0], ["content", "TEXT", 1, 0], ["created_at", "TEXT", 0, 0], ["fact_id", "INTEGER", 0, 1], ["helpful_count", "INTEGER", 0, 0], ["retrieval_count", "INTEGER", 0, 0], ["tags", "TEXT", 0, 0], ["trust_score", "REAL", 0, 0], ["updated_at", "TEXT", 0, 0]]

    Scenario: a row of another program gets the defaults
      Given an empty memory
      When another program runs "INSERT INTO facts(content) VALUES ('Whales sleep at sea')"
      Then the file answers "SELECT category, tags, summary, trust_score, retrieval_count, helpful_count, last_retrieved_at FROM facts" with [["general", "", null, 0.5, 0, 0, null]]

    Scenario: the content of a fact is unique in the table
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When another program runs "INSERT OR IGNORE INTO facts(content) VALUES ('Whales sleep at sea')"
      Then the file answers "SELECT count(*) FROM facts" with [[1]]

    @full
    Scenario: a file whose facts have hardly a column gains them all
      Given a file of version 0.1.4 with these facts:
        | fact | content |
        | gone | Whales sleep at sea |
      And another program runs "DROP TABLE facts"
      And another program runs "CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, keywords TEXT)"
      And another program runs "INSERT INTO facts VALUES (7, 'Seals sleep on ice', 'sea')"
      When the client calls fact_store with {"action": "list"}
      Then the answer has {"total": 1, "facts": [{"fact_id": 7, "content": "Seals sleep on ice", "category": "general", "tags": "", "summary": null, "trust_score": 0.5, "retrieval_count": 0, "helpful_count": 0}]}
      And the file answers "SELECT name, type, coalesce(dflt_value, 'NULL') FROM pragma_table_info('facts') ORDER BY name" with [["category", "TEXT", "'general'"], ["content", "TEXT", "NULL"], ["created_at", "TEXT", "NULL"], ["expires_at", "TEXT", "NULL"], ["fact_id", "INTEGER", "NULL"], ["helpful_count", "INTEGER", "0"], ["keywords", "TEXT", "NULL"], ["last_retrieved_at", "TEXT", "NULL"], ["retrieval_count", "INTEGER", "0"], ["summary", "TEXT", "NULL"], ["superseded_by", "INTEGER", "NULL"], ["tags", "TEXT", "''"], ["trust_score", "REAL", "0.5"], ["updated_at", "TEXT", "NULL"]]

    Scenario: times that the table fills in are not local
      Given an empty memory
      When another program runs "INSERT INTO facts(content) VALUES ('Whales sleep at sea')"
      Then the file answers "SELECT count(*) FROM pragma_table_info('facts') WHERE name IN ('created_at', 'updated_at') AND coalesce(dflt_value, '') LIKE '%localtime%'" with [[0]]
