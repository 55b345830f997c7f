# Made from openspec/specs/entity-graph/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: entity-graph
  Connect facts by the names in them: people, products, files, addresses, versions and titles are found as a fact is written, so that an assistant can ask for all about one name, for what is near it, for what several names have in common, and for facts that contradict each other.

  Rule: Names are found as a fact is written
    Each name in a fact MUST stand in `entities` and be linked to the fact in `fact_entities`: names in quotes, identifiers, paths, file names, URLs, acronyms, capitalised names, versions with their product, mentions, packages, and Chinese names of products and projects.

    @full
    Scenario: names of code are linked
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | camel | Call fetchLedger before the books close |
        | snake | The column ship_date holds a text |
        | path | The keys lie in /etc/harbour/keys.toml |
        | file | Edit harbour.yaml before each release |
        | address | Read https://docs.tidewater.example/start |
        | package | Tables are drawn after npm install tide-tables |
      Then the fact "camel" is linked to "fetchLedger"
      And the fact "snake" is linked to "ship_date"
      And the fact "path" is linked to "/etc/harbour/keys.toml"
      And the fact "file" is linked to "harbour.yaml"
      And the fact "address" is linked to "https://docs.tidewater.example/start"
      And the fact "package" is linked to "tide-tables"

    @full
    Scenario: names of people and products are linked
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | person | Ask Nadia Okonkwo about unpaid invoices |
        | mention | Reviews go to @tomasz on weekdays |
        | acronym | The VPN drops around noon |
        | version | The staging cluster runs Redis 7.2 |
        | quoted | The "Blue Heron" project starts in spring |
      Then the fact "person" is linked to "Nadia Okonkwo"
      And the fact "mention" is linked to "@tomasz"
      And the fact "acronym" is linked to "VPN"
      And the fact "version" is linked to "Redis 7.2"
      And the fact "quoted" is linked to "Blue Heron"

    @full
    Scenario: names in Chinese sentences are linked
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | quoted | 内部代号「北极星」下周公布 |
        | title | 新人必读《值班手册》 |
        | product | 青鸟平台的登录要用短信验证码 |
        | glued | 重跑gen-itgc之前先备份 |
      Then the fact "quoted" is linked to "北极星"
      And the fact "title" is linked to "值班手册"
      And the fact "product" is linked to "青鸟平台"
      And the fact "glued" is linked to "gen-itgc"

    @full
    Scenario: ordinary words are no names
      Given an empty memory
      When the client adds these facts:
        | fact | content |
        | english | Always write the test before the code |
        | chinese | 用户喜欢简短的回答 |
        | shouted | NEVER DO THIS AGAIN |
      Then the fact "english" is linked to no name
      And the fact "chinese" is linked to no name
      And the fact "shouted" is linked to no name

    @full
    Scenario: a name in the summary is linked too
      Given an empty memory
      When the client adds these facts:
        | fact | content | summary |
        | notes | the whole log of last winter's meeting | Nadia Okonkwo moves to Oslo |
      Then the fact "notes" is linked to "Nadia Okonkwo"

  Rule: Links follow every change
    The links of a fact MUST follow its updates and its removal, and what other programs write, before the next question about names is answered; a name without facts is dropped. A link that another program made MUST stay as long as its fact.

    @full
    Scenario: an update moves a fact from one name to another
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log |
      When the client calls fact_store with {"action": "update", "fact_id": "[id of owner]", "content": "Kasper Lindqvist keeps the tide log"}
      Then the fact "owner" is linked to "Kasper Lindqvist"
      And the fact "owner" is not linked to "Nadia Okonkwo"
      And the client calls fact_store with {"action": "probe", "entity": "Nadia Okonkwo"}
      And there are no results

    @full
    Scenario: a removal takes the links along
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of owner]"}
      Then the file answers "SELECT (SELECT count(*) FROM fact_entities), (SELECT count(*) FROM entities WHERE name = 'Nadia Okonkwo')" with [[0, 0]]

    @full
    Scenario: a fact that another program writes is linked
      Given an empty memory
      When another program runs "INSERT INTO facts(content) VALUES ('青鸟平台 is kept by Nadia Okonkwo')"
      And the client calls fact_store with {"action": "probe", "entity": "nadia okonkwo"}
      Then the answer has {"count": 1}
      And the file answers "SELECT count(*) FROM entities JOIN fact_entities USING (entity_id) WHERE name = 'Nadia Okonkwo'" with [[1]]

    @full
    Scenario: a fact that another program changes is linked anew
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log |
      When another program runs "UPDATE facts SET content = 'Kasper Lindqvist keeps the tide log'"
      And the client calls fact_store with {"action": "probe", "entity": "Kasper Lindqvist"}
      Then the results are "owner" in this order
      And the fact "owner" is not linked to "Nadia Okonkwo"

    @full
    Scenario: the names of an existing database are found
      Given a file of version 0.1.4 with these facts:
        | fact | content |
        | review | Every change is reviewed before a release |
      And another program runs "CREATE TABLE IF NOT EXISTS entities (entity_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, entity_type TEXT DEFAULT 'unknown', aliases TEXT DEFAULT '', created_at TEXT)"
      And another program runs "CREATE TABLE IF NOT EXISTS fact_entities (fact_id INTEGER, entity_id INTEGER, PRIMARY KEY (fact_id, entity_id))"
      And another program runs "INSERT INTO entities(entity_id, name) VALUES (5, 'Kasper')"
      And another program runs "INSERT INTO fact_entities VALUES (1, 5)"
      When the client calls fact_store with {"action": "probe", "entity": "kasper"}
      Then the results are "review" in this order

    @full
    Scenario: a link of another program stays when the text changes
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log |
      When another program runs "INSERT INTO entities(entity_id, name) VALUES (90, 'Harbour office')"
      And another program runs "INSERT INTO fact_entities(fact_id, entity_id) VALUES (1, 90)"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of owner]", "content": "Kasper Lindqvist keeps the tide log"}
      Then the fact "owner" is linked to "Harbour office"
      And the fact "owner" is linked to "Kasper Lindqvist"
      And the fact "owner" is not linked to "Nadia Okonkwo"

  Rule: Probe returns all about one name
    `probe` MUST return the facts that name an entity, the most trusted first, at most `limit`; case, width and plain aliases such as `VS Code` and `VSCode` do not matter, and asking counts as no retrieval.

    @full
    Scenario: all facts about a name come, the most trusted first
      Given a memory with these facts:
        | fact | content | trust_score |
        | low | Nadia Okonkwo keeps the tide log | 0.4 |
        | high | 账单问题找 Nadia Okonkwo | 0.9 |
        | other | Kasper Lindqvist reviews every change | 0.7 |
      When the client calls fact_store with {"action": "probe", "entity": "Nadia Okonkwo"}
      Then the results are "high", "low" in this order

    @full
    Scenario: case and width of a name do not matter
      Given a memory with these facts:
        | fact | content |
        | duty | Heron Gateway restarts every night |
      When the client calls fact_store with {"action": "probe", "entity": "HERON ｇａｔｅｗａｙ"}
      Then the results are "duty" in this order

    @full
    Scenario: spellings of one name are one entity
      Given a memory with these facts:
        | fact | content |
        | spaced | 用 VS Code 写 Python |
        | joined | VSCode 的主题是深色 |
        | dashed | 远程开发也用vs-code来做 |
      When the client calls fact_store with {"action": "probe", "entity": "vscode"}
      Then the results are "spaced", "joined", "dashed" in any order

    @full
    Scenario: traditional and simplified characters name one entity
      Given a memory with these facts:
        | fact | content |
        | trad | 「蒼鷺計劃」下週上線 |
        | plain | 「苍鹭计划」的预算已经批了 |
      When the client calls fact_store with {"action": "probe", "entity": "苍鹭计划"}
      Then the results are "trad", "plain" in any order

    @full
    Scenario: a name that nobody mentions has no facts
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log |
      When the client calls fact_store with {"action": "probe", "entity": "Redis"}
      Then there are no results
      And the answer is {"results": [], "count": 0}

    @full
    Scenario: a probe stops at the limit
      Given 12 facts like "Heron Gateway note #"
      When the client calls fact_store with {"action": "probe", "entity": "Heron Gateway"}
      Then the answer has {"count": 10}
      And the client calls fact_store with {"action": "probe", "entity": "Heron Gateway", "limit": 3}
      And the answer has {"count": 3}

    @full
    Scenario: a probe without a name says what is missing
      Given an empty memory
      When the client calls fact_store with {"action": "probe"}
      Then the answer is an error that says "entity"

    @full
    Scenario: asking for names counts as no retrieval
      Given a memory with these facts:
        | fact | content |
        | owner | Nadia Okonkwo keeps the tide log of Nordby |
        | ferry | The ferry to Nordby leaves at seven |
      And what the file holds is noted
      When the client calls fact_store with {"action": "probe", "entity": "Nadia Okonkwo"}
      And the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      And the client calls fact_store with {"action": "reason", "entities": ["Nadia Okonkwo"]}
      Then the tables facts and retrieval_log hold what was noted

  Rule: Related leads from a name to its neighbours
    `related` MUST return facts of the entities that share a fact with the given one, without the facts that name it itself.

    @full
    Scenario: a fact of a neighbour comes and the name's own do not
      Given a memory with these facts:
        | fact | content |
        | own | Nadia Okonkwo maintains the Heron Gateway |
        | near | The Heron Gateway runs in Oslo |
        | apart | Kasper Lindqvist plays chess |
      When the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      Then the results are "near" in this order

    @full
    Scenario: neighbours are found across languages
      Given a memory with these facts:
        | fact | content |
        | own | 青鸟平台 is maintained by Nadia Okonkwo |
        | near | 青鸟平台的登录要用短信验证码 |
      When the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      Then the results are "near" in this order

    @full
    Scenario: a name without neighbours has none
      Given a memory with these facts:
        | fact | content |
        | own | Nadia Okonkwo plays chess |
        | else | The Heron Gateway is in Oslo |
      When the client calls fact_store with {"action": "related", "entity": "Nadia Okonkwo"}
      Then there are no results

  Rule: Reason returns what names have in common
    `reason` MUST return the facts that name all of the given `entities`.

    @full
    Scenario: only facts with both names come
      Given a memory with these facts:
        | fact | content |
        | both | Nadia Okonkwo maintains the Heron Gateway |
        | one | Nadia Okonkwo plays chess |
        | other | The Heron Gateway runs in Oslo |
      When the client calls fact_store with {"action": "reason", "entities": ["nadia okonkwo", "Heron Gateway"]}
      Then the results are "both" in this order

    @full
    Scenario: names written as JSON text are accepted
      Given a memory with these facts:
        | fact | content |
        | both | 青鸟平台用 VS Code 的远程模式 |
        | one | 青鸟平台的登录要用短信验证码 |
      When the client calls fact_store with {"action": "reason", "entities": "[\"青鸟平台\", \"VSCode\"]"}
      Then the results are "both" in this order

    @full
    Scenario: names that share no fact have nothing in common
      Given a memory with these facts:
        | fact | content |
        | one | Nadia Okonkwo plays chess |
        | two | The Heron Gateway is in Oslo |
      When the client calls fact_store with {"action": "reason", "entities": ["Nadia Okonkwo", "Heron Gateway"]}
      Then there are no results

    @full
    Scenario: a question without names is refused
      Given an empty memory
      When the client calls fact_store with {"action": "reason"}
      Then the answer is an error that says "entities"

  Rule: Contradict reports pairs that disagree
    `contradict` MUST report pairs of facts that differ in a number, a version, a negation, a preference or a choice while they say otherwise the same, then pairs that share entities which few others name and are dissimilar, each with `shared_entities`, `entity_overlap`, `content_similarity` and `contradiction_score`; only those that differ in one point carry a `proposal`. Events that differ in the date alone, figures of different things and one value written in two ways are no pair.

    @full
    Scenario: another version is a contradiction
      Given a memory with these facts:
        | fact | content |
        | old | The staging cluster of Tidewater runs Redis 7.1 |
        | new | The staging cluster of Tidewater runs Redis 7.2 |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "old" with "new"
      And the answer has {"count": 1}

    @full
    Scenario: another number is a contradiction
      Given a memory with these facts:
        | fact | content |
        | two | 缩进用 2 个空格 |
        | four | 缩进用 4 个空格 |
        | late | 合同续签的最后期限是六月22日 |
        | soon | 合同续签的最后期限是六月21日 |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "two" with "four"
      And the pairs include "late" with "soon"
      And the answer has {"count": 2}

    @full
    Scenario: a negation is a contradiction
      Given a memory with these facts:
        | fact | content |
        | yes | 发布前要跑集成测试 |
        | no | 发布前不要跑集成测试 |
        | do | We deploy Harbour on Fridays |
        | never | We never deploy Harbour on Fridays |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "yes" with "no"
      And the pairs include "do" with "never"

    @full
    Scenario: an opposite preference is a contradiction
      Given a memory with these facts:
        | fact | content |
        | dark | Olivia prefers the dark theme in the editor |
        | light | Olivia prefers the light theme in the editor |
        | like | 用户喜欢深色主题 |
        | pale | 用户喜欢浅色主题 |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "dark" with "light"
      And the pairs include "like" with "pale"

    @full
    Scenario: a negation in a short fact is a contradiction
      Given a memory with these facts:
        | fact | content |
        | open | 周五允许部署 |
        | shut | 周五不允许部署 |
        | with | 这个仓库使用 pnpm |
        | bare | 这个仓库不使用 pnpm |
        | keep | Always squash merges |
        | never | Never squash merges |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "open" with "shut"
      And the pairs include "with" with "bare"
      And the pairs include "keep" with "never"
      And the answer has {"count": 3}

    @full
    Scenario: another choice of the same name is a contradiction
      Given a memory with these facts:
        | fact | content |
        | post | HeronGateway uses PostgreSQL |
        | my | HeronGateway uses MySQL |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "post" with "my"
      And the answer has {"results": [{"proposal": {"action": "update", "fact_id": "[id of my]", "supersedes": "[id of post]"}}]}

    @full
    Scenario: events of other days and figures of other things are no pair
      Given a memory with these facts:
        | fact | content |
        | may | 2026-05-01 met Kasper |
        | june | 2026-06-01 met Kasper |
        | alpha | Server alpha has 16 GB of memory |
        | beta | Server beta has 32 GB of memory |
      When the client calls fact_store with {"action": "contradict"}
      Then there are no results

    @full
    Scenario: dissimilar facts of the same name are reported
      Given a memory with these facts:
        | fact | content |
        | coast | Nadia Okonkwo lives beside the old harbour |
        | hills | Nadia Okonkwo moved into the mountains in spring |
      When the client calls fact_store with {"action": "contradict"}
      Then the pairs include "coast" with "hills"
      And the answer has {"results": [{"shared_entities": ["Nadia Okonkwo"]}]}
      And the pair of "coast" with "hills" has no "proposal"

    @full
    Scenario: facts about different things are no pair
      Given a memory with these facts:
        | fact | content |
        | tea | Tea is served at four |
        | whale | Whales sleep at sea |
        | lunch | 食堂每逢周五供应素菜 |
        | print | 打印机卡纸时先关掉电源 |
      When the client calls fact_store with {"action": "contradict"}
      Then there are no results

    @full
    Scenario: a category and a limit narrow the report
      Given a memory with these facts:
        | fact | content | category |
        | two | 缩进用 2 个空格 | coding_style |
        | four | 缩进用 4 个空格 | coding_style |
        | early | The standup begins at 9 sharp | workflow |
        | later | The standup begins at 10 sharp | workflow |
      When the client calls fact_store with {"action": "contradict", "category": "workflow"}
      Then the pairs include "early" with "later"
      And there is no pair of "two" with "four"
      And the client calls fact_store with {"action": "contradict", "limit": 1}
      And the answer has {"count": 1}

  Rule: The report demotes nothing
    `contradict` MUST NOT change any fact, any trust or the log.

    @full
    Scenario: a report changes nothing
      Given a memory with these facts:
        | fact | content | trust_score |
        | old | The staging cluster of Tidewater runs Redis 7.1 | 0.8 |
        | new | The staging cluster of Tidewater runs Redis 7.2 | 0.6 |
      And what the file holds is noted
      When the client calls fact_store with {"action": "contradict"}
      Then the tables facts and retrieval_log hold what was noted
      And the pairs include "old" with "new"
