# Made from openspec/specs/fact-retrieval/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: fact-retrieval
  Find the facts that bear on a question, in Chinese and English, and rank them by a formula that anyone can check from the answer: text match and shared terms in equal parts, trust, decay and length penalty. Nothing relevant is thrown away by a threshold.

  Rule: Static FTS/Jaccard weighting
    The relevance of a result MUST be `0.5 * fts + 0.5 * jaccard` whatever the length of the query, where `fts` is the BM25 score divided by that of the best match, and `jaccard` the shared part of all terms of the query and of the fact's match text and tags.

    Scenario: Short query uses static weights
      Given a memory with these facts:
        | fact | content |
        | theme | 用户在编辑器和终端里都偏好深色主题 |
        | lunch | 午饭常在三楼食堂吃面条 |
        | report | Weekly reports are due on Friday |
      When the client searches for "深色主题" with explanation
      Then the results are "theme" in this order
      And every result follows the scoring formula
      And fts and jaccard differ in at least one result

    Scenario: Long query uses same static weights
      Given a memory with these facts:
        | fact | content |
        | modules | TypeScript 编译报错找不到模块时先检查 tsconfig 的 paths |
        | compile | 编译服务器在每天凌晨两点重启 |
        | lunch | 午饭常在三楼食堂吃面条 |
      When the client searches for "为什么 TypeScript 编译报错找不到模块" with explanation
      Then the results include "modules"
      And every result follows the scoring formula
      And fts and jaccard differ in at least one result

    Scenario: a query of 40 words uses the same weights
      Given a memory with these facts:
        | fact | content |
        | canary | Canary deployments shift traffic to the new gateway slowly |
        | budget | The latency budget of the gateway is two hundred milliseconds |
        | lunch | Lunch is served at noon on the third floor |
      When the client searches for "our last release failed because traffic moved to another gateway before canary deployments had finished while latency budget alarms stayed silent and nobody noticed errors until customers complained about slow pages during Monday morning after holidays in spring" with explanation
      Then the results are "canary", "budget" in any order
      And every result follows the scoring formula
      And fts and jaccard differ in at least one result

    Scenario: trust enters the score as a factor
      Given a memory with these facts:
        | fact | content | trust_score |
        | high | The tea room is on floor seven | 0.9 |
        | lower | The tea room is on floor eight | 0.4 |
      When the client searches for "tea room floor" with explanation
      Then the results are "high", "lower" in this order
      And every result follows the scoring formula
      And the result "high" is explained by {"trust": 0.9}
      And the result "lower" is explained by {"trust": 0.4}

    Scenario: the best match has an fts of 1
      Given a memory with these facts:
        | fact | content |
        | alpha | The crane inspection rota hangs beside a lift |
        | beta | The crane was painted yellow in spring |
        | gamma | Olivia prefers green tea in the afternoon |
        | delta | Reports about the greenhouse are due in March |
      When the client searches for "crane inspection rota" with explanation
      Then the results are "alpha", "beta" in this order
      And the result "alpha" is explained by {"fts": 1.0}
      And every fts and jaccard is between 0 and 1

    Scenario: the best match that the filters leave has an fts of 1
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | alpha | The crane inspection rota hangs beside a lift | general | 0.9 |
        | beta | The crane was painted yellow in spring | tool_pref | 0.9 |
        | gamma | The crane inspection rota is kept by Olivia | tool_pref | 0.1 |
        | delta | Reports about the greenhouse are due in March | general | 0.5 |
      When the client searches for "crane inspection rota" with {"category": "tool_pref", "explain": true}
      Then the results are "beta" in this order
      And the result "beta" is explained by {"fts": 1.0}

    Scenario: a word that is said more often raises fts
      Given a memory with these facts:
        | fact | content |
        | often | whale whale whale alder birch |
        | once | whale cedar juniper alder birch |
        | 鲸 often | 鲸。鲸。鲸。 |
        | 鲸 once | 鲸。山。水。 |
      When the client searches for "whale" with explanation
      Then the result "often" has a higher fts than "once"
      And the client searches for "鲸" with explanation
      And the result "鲸 often" has a higher fts than "鲸 once"

    Scenario: a rare word counts more in fts than a common one
      Given a memory with these facts:
        | fact | content |
        | rare | lantern alder birch |
        | common | whale cedar juniper |
        | second | whale willow maple |
        | third | whale poplar aspen |
        | other | heron plover curlew |
        | last | heather gorse broom |
      When the client searches for "whale lantern" with explanation
      Then the result "rare" has a higher fts than "common"

    @full
    Scenario: a word that every fact holds tells next to nothing
      Given 200 facts like "budget note #"
      And these facts besides:
        | fact | content |
        | told | lantern budget alder |
        | short | budget memo |
      When the client searches for "lantern budget" with explanation
      Then the result "told" is explained by {"fts": 1.0}
      And the result "short" is explained by {"fts": 0.0}

    Scenario: a word counts more in the fts of a shorter text
      Given a memory with these facts:
        | fact | content |
        | short | whale alder |
        | long | whale birch cedar juniper willow maple poplar aspen rowan |
      When the client searches for "whale" with explanation
      Then the result "short" has a higher fts than "long"

    @full
    Scenario: two words in a long text count more in fts than one in a short text
      Given a memory with these facts:
        | fact | content |
        | both | whale lantern birch cedar juniper willow maple poplar aspen |
        | whale | whale alder |
        | light | lantern alder |
      When the client searches for "whale lantern" with explanation
      Then the result "both" has a higher fts than "whale"
      And the result "both" has a higher fts than "light"

    Scenario: what two words count in fts adds up
      Given a memory with these facts:
        | fact | content |
        | both | whale lantern alder |
        | whale | whale birch cedar |
        | light | lantern poplar aspen |
        | one | heron plover curlew |
        | two | heather gorse broom |
        | three | juniper willow maple |
      When the client searches for "whale lantern" with explanation
      Then the result "both" is explained by {"fts": 1.0}
      And the fts of "whale" and "light" make up 1

    Scenario: jaccard is the shared part of all terms of query and fact
      Given a memory with these facts:
        | fact | content |
        | equal | whale harbour |
        | half | whale lighthouse harbour storm |
      When the client searches for "whale harbour" with explanation
      Then the result "equal" is explained by {"jaccard": 1.0}
      And the result "half" is explained by {"jaccard": 0.5}

    Scenario: the tags of a fact are among its terms of jaccard
      Given a memory with these facts:
        | fact | content | tags |
        | whale | whale harbour | lighthouse,storm |
      When the client searches for "whale harbour" with explanation
      Then the result "whale" is explained by {"jaccard": 0.5}
      And the client searches for "storm whale lighthouse harbour" with explanation
      And the result "whale" is explained by {"jaccard": 1.0}

    Scenario: a word that is said twice is one term of jaccard
      Given a memory with these facts:
        | fact | content |
        | once | whale harbour |
        | twice | whale harbour whale harbour |
      When the client searches for "whale harbour whale" with explanation
      Then the result "once" is explained by {"jaccard": 1.0}
      And the result "twice" is explained by {"jaccard": 1.0}

    Scenario: the best match has an fts of 1 also where the limit cuts it
      Given a memory with these facts:
        | fact | content | trust_score |
        | best | The crane inspection rota hangs beside a lift | 0.31 |
        | first | The crane inspection was long ago | 1.0 |
        | other | Olivia prefers green tea in the afternoon | 0.5 |
        | more | Reports about the greenhouse are due in March | 0.5 |
      When the client searches for "crane inspection rota" with {"explain": true}
      Then the results are "first", "best" in this order
      And the result "best" is explained by {"fts": 1.0}
      And the result "best" has a higher fts than "first"
      And the client searches for "crane inspection rota" with {"limit": 1, "explain": true}
      And the results are "first" in this order
      And the score of the result "first" is below 0.6

  Rule: Results are ranked by score
    Results MUST be in descending order of score; equal scores are ordered by higher trust, then by the later `updated_at` (`created_at` where that is null), then by the lower id.

    Scenario: scores descend
      Given a memory with these facts:
        | fact | content |
        | weak | The crane was painted yellow in spring |
        | best | The crane inspection rota hangs beside a lift |
        | other | Olivia prefers green tea in the afternoon |
      When the client searches for "crane inspection rota" with explanation
      Then the results are "best", "weak" in this order
      And the scores descend

    @full
    Scenario: scores are rounded to 4 places
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | The crane inspection rota hangs beside a lift | 0.77 |
        | beta | The crane was painted yellow in spring by Olivia | 0.31 |
        | gamma | [700 characters about crane] | 0.53 |
      When the client searches for "crane inspection rota"
      Then the results are "alpha", "beta", "gamma" in any order
      And every score has at most 4 decimal places

    @full
    Scenario: scores keep 4 places
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | whale harbour | 0.1234 |
      When the client searches for "whale harbour" with {"min_trust": 0}
      Then the result "alpha" has {"score": 0.1234}

    @full
    Scenario: the factors of an explanation keep 4 places
      Given a memory with these facts:
        | fact | content |
        | over | [301 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "over" has {"explain": {"length_penalty": 0.9967}}

    Scenario: of two equally good facts the newer comes first
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | older | whale harbour | [20 days ago] | [20 days ago] |
        | newer | harbour whale | [10 days ago] | [10 days ago] |
      When the client searches for "whale harbour"
      Then the results are "newer", "older" in this order

    Scenario: of two equally good facts the one that was changed later comes first
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | kept | whale harbour | [10 days ago] | [10 days ago] |
        | changed | harbour whale | [20 days ago] | [5 days ago] |
      When the client searches for "whale harbour"
      Then the results are "changed", "kept" in this order

    Scenario: a fact that was never changed is as new as its creation
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | changed | whale harbour | [20 days ago] | [10 days ago] |
        | bare | harbour whale | [5 days ago] | [none] |
      When the client searches for "whale harbour"
      Then the results are "bare", "changed" in this order

    Scenario: of two equal scores the more trusted comes first
      Given a memory with these facts:
        | fact | content | trust_score | created_at | updated_at |
        | least | whale harbour | 0.00001 | [10 days ago] | [10 days ago] |
        | less | harbour whale | 0.00002 | [20 days ago] | [20 days ago] |
      When the client searches for "whale harbour" with {"min_trust": 0}
      Then the results are "less", "least" in this order

    @full
    Scenario: scores that differ beyond the fourth place are equal, whatever the limit
      Given a memory with these facts:
        | fact | content | trust_score |
        | less | whale harbour | 0.00014 |
        | more | whale harbour storm heron pine maple poplar aspen rowan hazel elm oak ash juniper | 0.000145 |
      When the client searches for "whale harbour" with {"min_trust": 0}
      Then the results are "more", "less" in this order
      And the client searches for "whale harbour" with {"min_trust": 0, "limit": 1}
      And the results are "more" in this order

    Scenario: of two equally good facts of one moment the lower id comes first
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | first | whale harbour | [10 days ago] | [10 days ago] |
        | second | harbour whale | [10 days ago] | [10 days ago] |
      When the client searches for "whale harbour"
      Then the results are "first", "second" in this order

    Scenario: trust is weighed before the limit cuts
      Given 120 facts like "linker options #"
      And another program runs "UPDATE facts SET trust_score = 0.3"
      And these facts besides:
        | fact | content | trust_score |
        | tool | On the second build machine the linker wants its options in capital | 1.0 |
      When the client searches for "linker options" with {"limit": 1}
      Then the results are "tool" in this order

    Scenario: a score that is higher in the fourth place comes first
      Given an empty memory
      When another program runs "INSERT INTO facts(content, trust_score) VALUES ('harbour whale ' || replace(hex(zeroblob(287)), '00', '.'), 0.6019), ('whale harbour', 0.6)"
      And the client searches for "whale harbour"
      Then the answer has {"count": 2, "results": [{"fact_id": 2}, {"fact_id": 1}]}

  Rule: Time decay is off unless a half-life is configured
    The decay of a result MUST be 1, unless the environment variable `MNEMO_HALF_LIFE_DAYS` gives a half-life in days.

    Scenario: an old fact has no decay by default
      Given a memory with these facts:
        | fact | content | created_at | updated_at |
        | alpha | The tea room is upstairs | [400 days ago] | [400 days ago] |
        | beta | The tea room has a stove | [9000 days ago] | [9000 days ago] |
      When the client searches for "tea room" with explanation
      Then the result "alpha" is explained by {"decay": 1.0}
      And the result "beta" is explained by {"decay": 1.0}
      And every result follows the scoring formula

  Rule: A configured half-life halves the score of old facts
    With `MNEMO_HALF_LIFE_DAYS` set to a number of days above 0, the decay of a fact MUST be 0.5 raised to the days since its last change divided by that number.

    @full
    Scenario: a fact as old as the half-life counts half
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "30"
      And a memory with these facts:
        | fact | content | created_at | updated_at |
        | alpha | The tea room is upstairs | [30 days ago] | [30 days ago] |
        | beta | The tea supply runs low | [60 days ago] | [60 days ago] |
      When the client searches for "tea" with explanation
      Then the result "alpha" is explained by {"decay": 0.5}
      And the result "beta" is explained by {"decay": 0.25}
      And every result follows the scoring formula

    @full
    Scenario: a half-life of a day or less counts
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "0.5"
      And a memory with these facts:
        | fact | content | created_at | updated_at |
        | alpha | The tea room is upstairs | [1 days ago] | [1 days ago] |
      When the client searches for "tea" with explanation
      Then the result "alpha" is explained by {"decay": 0.25}

    @full
    Scenario: the age of a fact counts from its last change
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "30"
      And a memory with these facts:
        | fact | content | created_at | updated_at |
        | alpha | The tea room is upstairs | [60 days ago] | [30 days ago] |
      And another program runs "INSERT INTO facts(content, created_at) VALUES ('The tea supply runs low', datetime('now', '-60 days'))"
      When the client searches for "tea" with explanation
      Then the result "alpha" is explained by {"decay": 0.5}
      And the answer has {"results": [{"explain": {"decay": 0.5}}, {"explain": {"decay": 0.25}}]}

    @full
    Scenario: the limit cuts after the decay
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "30"
      And a memory with these facts:
        | fact | content | created_at | updated_at |
        | old | whale harbour | [120 days ago] | [120 days ago] |
        | new | whale harbour and a lighthouse | [none] | [none] |
      When the client searches for "whale harbour" with {"limit": 1}
      Then the results are "new" in this order

    @full
    Scenario: of hundreds of facts a new one comes before better ones that are old
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "30"
      And 40 facts like "whale harbour #"
      And 300 facts like "note # about whales in the harbour and storms at the lighthouse"
      And another program runs "UPDATE facts SET created_at = datetime('now', '-300 days'), updated_at = datetime('now', '-300 days')"
      And these facts besides:
        | fact | content |
        | new | whale harbour, a storm and a lighthouse there |
      When the client searches for "whale harbour" with {"limit": 1}
      Then the results are "new" in this order

    @full
    Scenario: a time in the future raises no score
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "0.01"
      And a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      And another program runs "UPDATE facts SET updated_at = datetime('now', '+30 days')"
      When the client searches for "tea" with explanation
      Then the result "alpha" is explained by {"decay": 1.0}

    @full
    Scenario: a row without any time has no decay
      Given the environment variable "MNEMO_HALF_LIFE_DAYS" is "30"
      And an empty memory
      When another program runs "INSERT INTO facts(content, created_at, updated_at) VALUES ('The tea room is upstairs', NULL, NULL)"
      And the client searches for "tea" with explanation
      Then the answer has {"results": [{"explain": {"decay": 1.0}}], "count": 1}

  Rule: Retrieval uses summary for matching when available
    For a fact with a non-empty summary, search MUST match the summary and the tags, and not the content; for any other, the content and the tags.

    Scenario: Search matches on summary
      Given a memory with these facts:
        | fact | content | summary |
        | editor | 每次装好新电脑都先配好快捷键和字体再干活 | 用户偏好 VS Code |
        | lunch | 午饭常在三楼食堂吃面条 | [none] |
      When the client searches for "VS Code"
      Then the results are "editor" in this order

    Scenario: a word of the content alone does not find a fact with a summary
      Given a memory with these facts:
        | fact | content | summary |
        | editor | The lighthouse theme is set on every laptop | 用户偏好 VS Code |
      When the client searches for "lighthouse"
      Then there are no results

    Scenario: jaccard compares the query with the summary
      Given a memory with these facts:
        | fact | content | summary |
        | editor | The lighthouse theme is set on every laptop | whale harbour |
      When the client searches for "whale harbour" with explanation
      Then the result "editor" is explained by {"jaccard": 1.0, "fts": 1.0}

    Scenario: a tag finds a fact with a summary
      Given a memory with these facts:
        | fact | content | summary | tags |
        | editor | The lighthouse theme is set on every laptop | 用户偏好 VS Code | keyboard |
      When the client searches for "keyboard"
      Then the results are "editor" in this order

    Scenario: a tag finds a fact without a summary
      Given a memory with these facts:
        | fact | content | tags |
        | editor | The lighthouse theme is set on every laptop | keyboard |
      When the client searches for "keyboard"
      Then the results are "editor" in this order

    Scenario: Returned results include full content
      Given a memory with these facts:
        | fact | content | summary |
        | editor | [2000 characters about 灯塔 with line breaks and emoji] | 用户偏好 VS Code |
      When the client searches for "VS Code"
      Then the result "editor" has {"content": "[content of editor]", "summary": "用户偏好 VS Code"}

    Scenario: a result without a summary has a null summary
      Given a memory with these facts:
        | fact | content |
        | beams | [2000 characters about 灯塔 with line breaks and emoji] |
      When the client searches for "灯塔"
      Then the result "beams" has {"content": "[content of beams]", "summary": null}

    Scenario: a result carries every field of the fact
      Given a memory with these facts:
        | fact | content | category | tags | trust_score | retrieval_count | helpful_count |
        | alpha | The tea room is upstairs | tool_pref | kitchen | 0.8 | 4 | 3 |
      When the client searches for "tea"
      Then the result "alpha" has {"fact_id": "[id of alpha]", "content": "The tea room is upstairs", "summary": null, "category": "tool_pref", "tags": "kitchen", "trust_score": 0.8, "helpful_count": 3, "score": "[any]", "retrieval_count": "[any]", "last_retrieved_at": "[any]", "created_at": "[any]", "updated_at": "[any]"}

  Rule: Every matching fact is a candidate for the answer
    No threshold of relevance MUST ever hide a fact that shares with the query a word that says something: a weak match ranks low and is returned while `limit` leaves room. Beside other words, words that say nothing by themselves (stop words, such as `the`, `of` or 的) MAY be left out of a query; a query of nothing but such words MUST be searched with them.

    Scenario: a fact with one of eight query words is returned after better ones
      Given a memory with these facts:
        | fact | content |
        | best | Rollback of a canary: the gateway sends traffic back once a latency alarm rings |
        | weak | Travel budget forms are kept by Olivia in the archive next to reception |
        | lunch | Lunch is served at noon on the third floor |
      When the client searches for "rollback canary gateway traffic latency alarm deploy budget" with explanation
      Then the results are "best", "weak" in this order
      And the score of the result "weak" is below 0.15
      And every result follows the scoring formula

    Scenario: words that occur nowhere do not hide a match
      Given a memory with these facts:
        | fact | content |
        | phone | 仓库发货联系人分机 6642，只在工作日接听 |
        | lunch | 午饭常在三楼食堂吃面条 |
      When the client searches for "zeppelin 6642"
      Then the results are "phone" in this order

    Scenario: similar facts are all returned
      Given a memory with these facts:
        | fact | content |
        | one | The staging cluster runs Redis 6.1 in Frankfurt |
        | two | The staging cluster runs Redis 6.2 in Frankfurt |
        | three | The staging cluster runs Redis 6.3 in Frankfurt |
      When the client searches for "staging cluster Redis"
      Then the results are "one", "two", "three" in any order

    Scenario: a word that every fact holds finds them
      Given 200 facts like "budget note #"
      When the client searches for "budget"
      Then the answer has 10 entries in "results"
      And the client searches for "budget" with {"limit": 1000}
      And the answer has 200 entries in "results"

    Scenario: a common little word finds what holds it
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
      When the client searches for "the"
      Then the results are "alpha" in this order

    Scenario: the last of many words counts
      Given a memory with these facts:
        | fact | content |
        | last | lantern |
      When the client searches for "alder birch cedar juniper maple willow poplar aspen rowan hazel elm oak ash heron plover curlew robin trout salmon perch carp eel pike cod herring sprat tench bream roach dace chub barbel gudgeon minnow loach bleak ruffe zander burbot grayling smelt shad lamprey sturgeon turbot brill plaice flounder dab halibut sole lantern"
      Then the results are "last" in this order

    Scenario: the last word of a long text finds it
      Given an empty memory
      When another program runs "INSERT INTO facts(content) SELECT replace(hex(zeroblob(5000)), '00', 'pebbles ') || 'lantern'"
      Then a search for "lantern" returns 1 fact

  Rule: Chinese text is found by any word inside a sentence
    A Chinese query MUST find the facts that contain its characters, from two characters that stand together anywhere in an unspaced sentence down to a single character.

    Scenario: two characters inside a sentence find the fact
      Given a memory with these facts:
        | fact | content |
        | print | 打印机卡纸时先关掉电源，再打开后盖取纸 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "电源"
      Then the results are "print" in this order

    Scenario: a single character finds the fact
      Given a memory with these facts:
        | fact | content |
        | whale | 海报上画着一头鲸 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "鲸"
      Then the results are "whale" in this order

    Scenario: a single character inside a word finds the fact
      Given a memory with these facts:
        | fact | content |
        | whale | 海报上画着蓝鲸和海豚 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "鲸"
      Then the results are "whale" in this order

    Scenario: a question in other words finds the fact first
      Given a memory with these facts:
        | fact | content |
        | meeting | 团队周会改到每周四下午三点，在五号会议室 |
        | expense | 报销单要在每月二十号前交给财务 |
        | network | 测试环境以后统一使用内网域名 |
      When the client searches for "请问报销最晚几号要交给财务？"
      Then the first result is "expense"

    Scenario: characters that occur nowhere find nothing
      Given a memory with these facts:
        | fact | content |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "火箭"
      Then there are no results

    Scenario: Latin words glued to Chinese are words of their own
      Given a memory with these facts:
        | fact | content |
        | editor | 用户习惯用neovim写代码，终端选foot3号配色 |
        | report | 写周报用在线文档 |
      When the client searches for "NeoVim"
      Then the results are "editor" in this order
      And a search for "foot3" returns "editor"
      And a search for "我的neovim怎么配" returns "editor"

    Scenario: a single character beside another word finds the fact
      Given a memory with these facts:
        | fact | content |
        | whale | 海报上画着蓝鲸和海豚 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "鲸 zeppelin"
      Then the results are "whale" in this order

    @full
    Scenario: a word of one character is found beside a particle
      Given a memory with these facts:
        | fact | content |
        | whale | 海报上画着一头鲸 |
        | home | 用户住在深圳南山区 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "我的鲸呢"
      Then the results are "whale" in this order
      And a search for "我住哪里" returns "home"

    @full
    Scenario: the days of the week are found however they are called
      Given a memory with these facts:
        | fact | content |
        | week | 星期四检查救生衣 |
        | rite | 礼拜四擦洗甲板 |
        | plain | 周四补充淡水 |
        | other | 星期五全员休息 |
      When the client searches for "周四"
      Then the results are "week", "rite", "plain" in any order
      And a search for "礼拜四" returns "week", "rite", "plain" in any order
      And a search for "星期五" returns "other"

  Rule: A Chinese question finds answers before other questions
    The words that a Chinese query asks with, such as 什么, 谁, 哪里 and 怎么, MUST NOT lift a fact over one that shares the rest of the query: they stand in other questions, not in answers. A query of such words alone is searched as it is.

    @full
    Scenario: a fact that asks the same comes after the one that tells
      Given a memory with these facts:
        | fact | content |
        | asks | Marta想知道是谁布置的 |
        | told | 展览由Olivia布置，放在旧码头 |
      When the client searches for "展览是谁布置的"
      Then the results are "told", "asks" in this order

    @full
    Scenario: a question word alone finds the facts that hold it
      Given a memory with these facts:
        | fact | content |
        | asks | Marta问展览是谁的主意 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "谁"
      Then the results are "asks" in this order

  Rule: Single characters of a Chinese query tell facts apart
    Of two facts that share as many pairs of characters with a Chinese query, the one that shares more of its single characters, wherever they stand, MUST come first: what a query calls 修灯 a fact may call 灯该修了. They raise `fts` alone; for `jaccard` the terms of Chinese text are its pairs of characters.

    @full
    Scenario: the characters of a word count where they stand apart
      Given a memory with these facts:
        | fact | content | updated_at |
        | boat | 码头的船该漆一漆了 | 2026-03-01 08:00:00 |
        | lamp | 码头的灯该修一修了 | 2026-03-01 08:00:00 |
      When the client searches for "码头修灯"
      Then the results are "lamp", "boat" in this order

    @full
    Scenario: single characters count in fts alone
      Given a memory with these facts:
        | fact | content |
        | lamp | 码头的灯该修一修了 |
        | boat | 码头的船该漆一漆了 |
      When the client searches for "码头修灯" with explanation
      Then the result "lamp" has a higher fts than "boat"
      And the result "lamp" is explained by {"jaccard": 0.1}
      And the result "boat" is explained by {"jaccard": 0.1}

  Rule: A search waits for no other program
    While another program keeps the file locked for its writes, a search MUST be answered without waiting for it, and what was written before MUST be found and scored like any other fact.

    @full
    Scenario: a fact written right before the lock is scored like any other
      Given a memory with these facts:
        | fact | content |
        | early | whale whale harbour lighthouse |
        | late | Olivia prefers green tea |
      And the fact "late" has in the file {"content": "harbour lighthouse whale whale"}
      And another program keeps the file locked for 60 seconds
      When the client searches for "whale harbour" with explanation
      Then the results are "early", "late" in any order
      And the result "early" is explained by {"fts": 1.0, "jaccard": 0.6667}
      And the result "late" is explained by {"fts": 1.0, "jaccard": 0.6667}
      And the other program lets go of the file

    @full
    Scenario: old words of a fact find nothing while the file is locked
      Given a memory with these facts:
        | fact | content |
        | clock | 打卡机放在门厅西侧 |
        | tea | Olivia prefers green tea |
      And the fact "clock" has in the file {"content": "打卡机搬到了二楼走廊"}
      And another program runs "DELETE FROM facts WHERE content LIKE '%tea'"
      And another program keeps the file locked for 60 seconds
      When the client searches for "走廊"
      Then the results are "clock" in this order
      And a search for "门厅" returns nothing
      And a search for "tea" returns nothing
      And the other program lets go of the file

    @full
    Scenario: a translation of two words counts the same in a fact written right before the lock
      Given a memory with these facts:
        | fact | content |
        | whole | credit card credit card alder |
        | part | credit credit credit card alder |
        | late whole | Olivia prefers green tea |
        | late part | Reports are due in March |
        | late credit | Lunch is served at noon |
      And the fact "late whole" has in the file {"content": "alder card credit card credit"}
      And the fact "late part" has in the file {"content": "card alder credit credit credit"}
      And the fact "late credit" has in the file {"content": "credit credit harbour alder"}
      And another program keeps the file locked for 60 seconds
      When the client searches for "信用卡" with explanation
      Then the results are "whole", "late whole", "part", "late part" in any order
      And the result "late whole" is explained by {"fts": 1.0}
      And the result "whole" is explained by {"fts": 1.0}
      And the result "late whole" has a higher fts than "late part"
      And the result "late whole" has a higher fts than "part"
      And the result "whole" has a higher fts than "late part"
      And the other program lets go of the file

  Rule: A search is never behind
    A search MUST be answered from the memory as it is at that moment, whoever changed it since the same words were last searched: nothing that an implementation remembers between searches MAY show.

    @full
    Scenario: a repeated search sees the trust that another program gave
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | The tea room is upstairs | 0.6 |
        | beta | Olivia serves us tea at noon | 0.4 |
      And the client searches for "tea"
      And the fact "beta" has in the file {"trust_score": 0.9}
      When the client searches for "tea" with explanation
      Then the results are "beta", "alpha" in this order
      And every result follows the scoring formula

    @full
    Scenario: a repeated search sees the trust that the client moved
      Given a memory with these facts:
        | fact | content | trust_score |
        | alpha | The tea room is upstairs | 0.6 |
        | beta | Olivia serves us tea at noon | 0.4 |
      And the client searches for "tea"
      And the client calls fact_store with {"action": "update", "fact_id": "[id of beta]", "trust_delta": 0.5}
      When the client searches for "tea" with explanation
      Then the results are "beta", "alpha" in this order
      And every result follows the scoring formula

    @full
    Scenario: a repeated search sees what another program hid, and shows it again
      Given a memory with these facts:
        | fact | content |
        | alpha | The tea room is upstairs |
        | beta | Olivia serves us tea at noon |
      And the client searches for "tea"
      And another program runs "UPDATE facts SET trust_score = 0.1 WHERE fact_id = 1"
      When the client searches for "tea"
      Then the results are "beta" in this order
      And another program runs "UPDATE facts SET trust_score = 0.5"
      And a search for "tea" returns 2 facts

    @full
    Scenario: the same words under another filter find what that lets pass
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | alpha | The tea room is upstairs | workflow | 0.9 |
        | beta | Olivia serves us tea at noon | tool_pref | 0.5 |
      And the client searches for "tea" with {"min_trust": 0.8}
      When the client searches for "tea" with {"category": "tool_pref"}
      Then the results are "beta" in this order
      And a search for "tea" returns 2 facts
      And the client searches for "tea" with {"min_trust": 0.8}
      And the results are "alpha" in this order

    @full
    Scenario: a repeated search sees how common a word has become
      Given a memory with these facts:
        | fact | content |
        | alpha | A lantern at the gate |
        | beta | The harbour freezes over in every second winter |
      And the client searches for "lantern harbour" with explanation
      And the result "alpha" has a higher fts than "beta"
      And another program runs "INSERT INTO facts(content) VALUES ('Every lantern needs oil'), ('Olivia paints a lantern'), ('One lantern broke today')"
      When the client searches for "lantern harbour" with explanation
      Then the result "beta" is explained by {"fts": 1.0}
      And the result "beta" has a higher fts than "alpha"

  Rule: Case and width never matter
    Upper and lower case, full-width and half-width forms of a word MUST find each other.

    Scenario: another case finds the fact
      Given a memory with these facts:
        | fact | content |
        | cache | The cache runs on REDIS in Lisbon |
      When the client searches for "redis LISBON"
      Then the results are "cache" in this order

    Scenario: case does not matter beyond the letters of English
      Given a memory with these facts:
        | fact | content |
        | ferry | Die Fähre legt in Ølstrup an |
        | kiosk | Киоск стоит у вокзала |
      When the client searches for "FÄHRE"
      Then the results are "ferry" in this order
      And a search for "øLSTRUP" returns "ferry"
      And a search for "КИОСК" returns "kiosk"

    Scenario: full-width letters find half-width ones
      Given a memory with these facts:
        | fact | content |
        | cache | 缓存用 Redis，端口 6380 |
      When the client searches for "Ｒｅｄｉｓ ６３８０"
      Then the results are "cache" in this order

    Scenario: half-width letters and digits find full-width ones
      Given a memory with these facts:
        | fact | content |
        | cache | 缓存用 Ｒｅｄｉｓ，端口 ６３８０ |
      When the client searches for "redis"
      Then the results are "cache" in this order
      And a search for "6380" returns "cache"

  Rule: English words are found in their inflected forms
    A query with another form of an English word, such as its plural or past tense, MUST find the fact.

    Scenario: a plural finds the singular and the other way round
      Given a memory with these facts:
        | fact | content |
        | deploy | The deployment script lives in the ops folder |
        | tests | Integration tests need a running container |
      When the client searches for "deployments"
      Then the results are "deploy" in this order
      And a search for "containers test" returns "tests"

    Scenario: a past tense finds the present, and the present the past
      Given a memory with these facts:
        | fact | content |
        | deploy | We deploy the gateway on Monday |
        | rotate | The key was rotated by Olivia |
      When the client searches for "deployed"
      Then the results are "deploy" in this order
      And a search for "deploying" returns "deploy"
      And a search for "rotate" returns "rotate"

    Scenario: other plurals find the singular, and it finds them
      Given a memory with these facts:
        | fact | content |
        | query | The slow query runs at midnight |
        | box | The boxes stand in the corridor |
      When the client searches for "queries"
      Then the results are "query" in this order
      And a search for "box" returns "box"

    Scenario: a word is found by its forms with a doubled consonant
      Given a memory with these facts:
        | fact | content |
        | stop | Trains stop at the harbour |
        | run | The job was running in Lisbon |
        | plan | Olivia planned a lantern walk |
      When the client searches for "stopped"
      Then the results are "stop" in this order
      And a search for "stopping" returns "stop"
      And a search for "run" returns "run"
      And a search for "plan" returns "plan"
      And a search for "planning" returns "plan"

    Scenario: a past tense in -ied finds its verb, and the verb finds it
      Given a memory with these facts:
        | fact | content |
        | study | Olivia studied whales in winter |
        | copy | Please copy the keys to the vault |
      When the client searches for "study"
      Then the results are "study" in this order
      And a search for "copied" returns "copy"

  Rule: Names with signs are words of their own
    `C++`, `C#`, `.NET` and `C` MUST be different words.

    Scenario: a language with signs in its name finds only itself
      Given a memory with these facts:
        | fact | content |
        | plus | The renderer is written in C++ |
        | sharp | The editor plugin is written in C# |
        | net | The billing service runs on .NET |
        | plain | The firmware is written in C |
      When the client searches for "C++"
      Then the results are "plus" in this order
      And a search for "C#" returns "sharp"
      And a search for ".NET" returns "net"
      And a search for "C" returns "plain"

    @full
    Scenario: a name with signs stays one beside other characters
      Given a memory with these facts:
        | fact | content |
        | sharp | 编辑器插件用C#开发 |
        | seven | C#7 features are allowed |
        | flow | 报表脚本用F#很合适 |
        | net | 计费服务在.NET平台运行 |
        | eight | The gateway uses .NET8 |
        | pages | The portal is an ASP.NET site |
        | plain | 固件用C语言写 |
      When the client searches for "C#"
      Then the results are "sharp", "seven" in any order
      And a search for "F#" returns "flow"
      And a search for ".NET" returns "net", "eight", "pages" in any order
      And a search for "C" returns "plain"

  Rule: A name is found without the digits attached to it
    A name MUST find the words that are it with a number or a version attached, and the number of two digits or more, or the version, MUST find them too.

    @full
    Scenario: a name finds itself with digits attached
      Given a memory with these facts:
        | fact | content |
        | login | The portal uses OAuth2 |
        | ledger | 账本存在PostgreSQL15里 |
        | phone | iPhone15的充电器在抽屉里 |
        | card | 训练用的显卡是RTX4090 |
        | script | The importer needs Python3.11 |
      When the client searches for "OAuth"
      Then the results are "login" in this order
      And a search for "PostgreSQL" returns "ledger"
      And a search for "iphone" returns "phone"
      And a search for "4090" returns "card"
      And a search for "3.11" returns "script"
      And a search for "Python 3.11" returns "script"

  Rule: A name is found however it is joined
    A name of several words MUST be found whether it is written as one, apart or with hyphens, in camel case or with underscores, so also a verb with its particle and the noun that they make, and a number MUST be found with its unit attached or apart. The words of a hyphened name alone are less than the name.

    @full
    Scenario: hyphened words and words written as one find each other
      Given a memory with these facts:
        | fact | content |
        | hyphen | Rope is sold by the co-op at pier 4 |
        | closed | Nadia keeps the books of the coop |
        | lunch | Lunch is served at noon |
      When the client searches for "coop"
      Then the results are "hyphen", "closed" in any order
      And a search for "co-op" returns "hyphen", "closed" in any order

    @full
    Scenario: a hyphened name is more than one of its words
      Given a memory with these facts:
        | fact | content |
        | named | The whale of the crew is called Mia |
        | phone | Call the supplier on Mondays |
        | rota | The on-call handbook lies in the shed by the pier |
      When the client searches for "who is on-call?"
      Then the first result is "rota"

    @full
    Scenario: two words and the word that they make find each other
      Given a memory with these facts:
        | fact | content |
        | apart | Olivia wants the dark mode at dusk |
        | knot | A bowline holds the dinghy |
        | lunch | Lunch is served at noon |
      When the client searches for "darkmode"
      Then the results are "apart" in this order
      And a search for "bow line" returns "knot"

    @full
    Scenario: a verb with its particle and the noun that they make find each other
      Given a memory with these facts:
        | fact | content |
        | apart | Olivia signs up each new sailor |
        | closed | A timeout ends the call of the pier |
        | lunch | Lunch is served at noon |
      When the client searches for "signup"
      Then the results are "apart" in this order
      And a search for "when does it time out?" returns "closed"

    @full
    Scenario: names of code are found by their words in another writing
      Given a memory with these facts:
        | fact | content |
        | snake | The column berth_number holds no nulls |
        | camel | The field crewName comes from the ledger |
        | lunch | Lunch is served at noon |
      When the client searches for "berthNumber"
      Then the results are "snake" in this order
      And a search for "crew_name" returns "camel"

    @full
    Scenario: a name with a number attached finds both apart
      Given a memory with these facts:
        | fact | content |
        | apart | The portal is built with React 18 |
        | lunch | Lunch is served at noon |
      When the client searches for "React18"
      Then the results are "apart" in this order
      And a search for "react17" returns nothing

    @full
    Scenario: a number and its unit are found attached and apart
      Given a memory with these facts:
        | fact | content |
        | limit | An upload may have 25 MB |
        | wait | The gateway waits 750ms for a reply |
      When the client searches for "25MB"
      Then the results are "limit" in this order
      And a search for "750 ms" returns "wait"

  Rule: A query is plain text
    No character or word of a query MUST ever act as search syntax or make the search fail.

    Scenario: operators are words
      Given a memory with these facts:
        | fact | content |
        | parrots | Parakeets live in the winter orchard |
        | shed | The orchard shed key hangs by the door |
      When the client searches for "orchard NOT parakeets"
      Then the results are "parrots", "shed" in any order
      And a search for "NEAR(key door)" returns "shed"
      And a search for "^shed OR" returns "shed"
      And a search for "{orchard shed}: key" returns "shed" first

    Scenario: column names and ids are words
      Given a memory with these facts:
        | fact | content |
        | ticket | Ticket QX-20417 tracks the scanner outage |
        | release | 发版日期定为 2026-09-14 |
      When the client searches for "QX-20417"
      Then the results are "ticket" in this order
      And a search for "content:scanner" returns "ticket"
      And a search for "2026-09-14" returns "release"
      And a search for "rowid" returns nothing

    Scenario: punctuation is no obstacle
      Given a memory with these facts:
        | fact | content |
        | flag | Nightly jobs call the linter with --max-warn |
        | quote | Don't use semicolons in the style sheets |
        | path | The scheduler lives in tools/scheduler/run.py |
        | book | 停机前先看《运维手册》第二章（含附录） |
      When the client searches for ""--max-warn""
      Then the results are "flag" in this order
      And a search for "don't use semicolons" returns "quote"
      And a search for "tools/scheduler/run.py" returns "path"
      And a search for "《运维手册》" returns "book"

    Scenario: a query without a single word finds nothing
      Given a memory with these facts:
        | fact | content |
        | share | The share rose to 100% !! |
      When the client searches for "%"
      Then there are no results
      And a search for "*" returns nothing
      And a search for "!!" returns nothing
      And a search for "((" returns nothing

    Scenario: no sign of a query acts as a pattern
      Given a memory with these facts:
        | fact | content | category |
        | parrots | Parakeets live in the winter orchard | general |
        | shed | The orchard shed key hangs by a door | workflow |
      When the client searches for "_"
      Then there are no results
      And a search for "parak*" returns nothing
      And a search for "orchard -parakeets" returns "parrots", "shed" in any order
      And a search for "orchard category:general" returns "parrots", "shed" in any order
      And a search for ""orchard winter"" returns "parrots", "shed" in any order
      And a search for "orchard AND parakeets AND zeppelin" returns "parrots", "shed" in any order

    Scenario: a query of 3000 characters is searched and logged whole
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "search", "query": "[3000 characters about whale]"}
      Then the results are "whale" in this order
      And the file answers "SELECT length(query) FROM retrieval_log" with [[3000]]

    Scenario: a query of 9000 characters is searched and logged whole
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client calls fact_store with {"action": "search", "query": "[9000 characters about whale with line breaks and emoji]"}
      Then the results are "whale" in this order
      And the file answers "SELECT query FROM retrieval_log" with [["[9000 characters about whale with line breaks and emoji]"]]

  Rule: A query that is only an operation is not searched
    A query that says nothing but what to do next MUST be answered without results and with the reason in `skipped`, and MUST NOT be logged, unless `refine` is false.

    @full
    Scenario: a Chinese operation is skipped and says so
      Given a memory with these facts:
        | fact | content |
        | redis | 运行测试前要先启动 valkey 容器 |
      When the client searches for "运行测试"
      Then the answer has {"results": [], "count": 0, "skipped": "[any]"}
      And the log has 0 entries

    @full
    Scenario: an English operation is skipped and says so
      Given a memory with these facts:
        | fact | content |
        | commit | A git commit needs a signed tag |
      When the client searches for "git commit"
      Then the answer has {"results": [], "count": 0, "skipped": "[any]"}
      And the log has 0 entries

    @full
    Scenario: an operation is searched with refine set to false
      Given a memory with these facts:
        | fact | content |
        | redis | 运行测试前要先启动 valkey 容器 |
      When the client searches for "运行测试" with {"refine": false}
      Then the results are "redis" in this order
      And the answer has no "skipped"
      And the file answers "SELECT query FROM retrieval_log" with [["运行测试"]]

    @full
    Scenario: a query with a word of substance is searched
      Given a memory with these facts:
        | fact | content |
        | redis | 运行测试前要先启动 valkey 容器 |
      When the client searches for "运行测试前要启动哪个容器"
      Then the results are "redis" in this order
      And the answer has no "skipped"
