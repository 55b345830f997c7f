# Made from openspec/specs/bilingual-retrieval/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: bilingual-retrieval
  Let a user who thinks in two languages find a fact in either: words that the user paired in a fact stand for each other, a built-in lexicon joins the everyday words of Chinese and English, and the ways to write a character never matter.

  Rule: Taught pairs stand for each other
    Where a fact pairs two words, one in brackets behind the other, such as `逆向（reverse engineering）` or `dark theme (深色主题)`, a search for either MUST find the facts that hold the other, as long as that fact exists and says so.

    @full
    Scenario: a Chinese word that a fact explains in English
      Given a memory with these facts:
        | fact | content |
        | pair | 冷岸（quiet quay）资料放在共享盘 |
        | portal | 门户网站用来做冷岸 |
        | form | A quiet quay of firmware needs a form |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "quiet quay"
      Then the results are "pair", "portal", "form" in any order
      And a search for "冷岸" returns "pair", "portal", "form" in any order

    @full
    Scenario: an English word that a fact explains in Chinese
      Given a memory with these facts:
        | fact | content |
        | pair | Olivia wants the harrier mode (青石方案) everywhere |
        | term | 终端里也用青石方案 |
        | lunch | Lunch is served at noon |
      When the client searches for "harrier mode"
      Then the results are "pair", "term" in any order
      And a search for "青石方案" returns "pair", "term" in any order

    @full
    Scenario: a pair of names that no lexicon knows
      Given a memory with these facts:
        | fact | content |
        | pair | 暗礁计划（Skerryvane）归 Nadia 管 |
        | plan | Skerryvane starts in the spring |
        | board | 暗礁计划的预算还没批 |
      When the client searches for "Skerryvane"
      Then the results are "pair", "plan", "board" in any order
      And a search for "暗礁计划" returns "pair", "plan", "board" in any order

    @full
    Scenario: a pair is forgotten with its fact
      Given a memory with these facts:
        | fact | content |
        | pair | 暗礁计划（Skerryvane）归 Nadia 管 |
        | plan | Skerryvane starts in the spring |
        | board | 暗礁计划的预算还没批 |
      When the client calls fact_store with {"action": "remove", "fact_id": "[id of pair]"}
      Then a search for "Skerryvane" returns "plan"

    @full
    Scenario: a pair that another program writes is learned
      Given a memory with these facts:
        | fact | content |
        | board | 暗礁计划的预算还没批 |
      When another program runs "INSERT INTO facts(content) VALUES ('Skerryvane (暗礁计划) belongs to Nadia')"
      And the client searches for "Skerryvane"
      Then the results include "board"

    @full
    Scenario: a pair is forgotten when its fact says it no more
      Given a memory with these facts:
        | fact | content |
        | pair | 暗礁计划（Skerryvane）归 Nadia 管 |
        | board | 暗礁计划的预算还没批 |
      And a search for "Skerryvane" returns "pair", "board"
      When the client calls fact_store with {"action": "update", "fact_id": "[id of pair]", "content": "Olivia keeps the tide log"}
      Then a search for "Skerryvane" returns nothing

  Rule: A question in one language finds a fact in the other
    A search MUST find facts in the other language by a built-in lexicon of everyday and technical words, their common abbreviations among them, without a network and without any pair in the memory.

    @full
    Scenario: a Chinese question finds an English fact
      Given a memory with these facts:
        | fact | content |
        | backup | Backups of the database run at night |
        | lunch | Lunch is served at noon |
      When the client searches for "数据库什么时候备份"
      Then the first result is "backup"
      And a search for "午饭几点" returns "lunch" first

    @full
    Scenario: an English question finds a Chinese fact
      Given a memory with these facts:
        | fact | content |
        | backup | 数据库每天凌晨备份 |
        | meet | 周会在三楼会议室 |
      When the client searches for "when is the database backed up"
      Then the first result is "backup"
      And a search for "weekly meeting room" returns "meet" first

    @full
    Scenario: a question in its own language comes first
      Given a memory with these facts:
        | fact | content |
        | chinese | 数据库每天凌晨备份 |
        | english | Backups of the database run at night |
      When the client searches for "数据库备份"
      Then the results are "chinese", "english" in this order

    @full
    Scenario: a result across languages follows the scoring formula
      Given a memory with these facts:
        | fact | content |
        | backup | Backups of the database run at night |
        | lunch | Lunch is served at noon |
      When the client searches for "数据库备份" with explanation
      Then the results are "backup" in this order
      And every result follows the scoring formula

    @full
    Scenario: a translation of two words counts as often as both are there
      Given a memory with these facts:
        | fact | content |
        | part | credit credit credit card alder |
        | whole | credit card credit card alder |
      When the client searches for "信用卡" with explanation
      Then the result "whole" has a higher fts than "part"

    @full
    Scenario: the words of people who write software
      Given a memory with these facts:
        | fact | content |
        | commit | Every commit is signed by its author |
        | api | The API answers within a second |
        | duty | Nadia is on-call this week |
        | lunch | Lunch is served at noon |
      When the client searches for "提交"
      Then the results are "commit" in this order
      And a search for "接口" returns "api"
      And a search for "值班" returns "duty"

    @full
    Scenario: Taiwan's words and the mainland's find each other
      Given a memory with these facts:
        | fact | content |
        | data | 数据库在二号机房 |
        | mouse | 新滑鼠放在抽屜裡 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "資料庫"
      Then the results are "data" in this order
      And a search for "鼠标" returns "mouse"

    @full
    Scenario: an abbreviation and the word find each other
      Given a memory with these facts:
        | fact | content |
        | long | The repository is mirrored every night |
        | short | Secrets of the repo lie in the vault |
        | lunch | Lunch is served at noon |
      When the client searches for "repo"
      Then the results are "short", "long" in this order
      And a search for "repository" returns "long", "short" in any order

  Rule: A query may mix both languages
    A query in two languages MUST find whatever its parts find, and words of both that stand together without a space are words of their own.

    @full
    Scenario: an English word beside a Chinese one hides nothing
      Given a memory with these facts:
        | fact | content |
        | chip | 芯片脚本放在 tools 仓库 |
        | lunch | 食堂每逢周五供应素菜 |
      When the client searches for "芯片"
      Then the results are "chip" in this order
      And a search for "芯片 deploy" returns "chip"
      And a search for "deploy 芯片" returns "chip"

    @full
    Scenario: a name glued to Chinese and the name alone find each other
      Given a memory with these facts:
        | fact | content |
        | glued | 重跑gen-itgc之前先备份 |
        | alone | The nightly job gen-itgc takes an hour |
      When the client searches for "gen-itgc"
      Then the results are "glued", "alone" in any order
      And a search for "重跑gen-itgc" returns "glued", "alone" in any order

  Rule: The way to write a character never matters
    Traditional and simplified characters, full-width and half-width forms, and case MUST find each other, in both directions.

    @full
    Scenario: simplified finds traditional
      Given a memory with these facts:
        | fact | content |
        | docs | 繁體中文文檔由 Olivia 維護 |
      When the client searches for "文档维护"
      Then the results are "docs" in this order

    @full
    Scenario: traditional finds simplified
      Given a memory with these facts:
        | fact | content |
        | docs | 简体中文文档由 Olivia 维护 |
      When the client searches for "簡體文檔維護"
      Then the results are "docs" in this order

    @full
    Scenario: a traditional question finds an English fact
      Given a memory with these facts:
        | fact | content |
        | backup | Backups of the database run at night |
      When the client searches for "資料庫備份"
      Then the results are "backup" in this order

    @full
    Scenario: half-width finds full-width
      Given a memory with these facts:
        | fact | content |
        | kube | Ｋｕｂｅ 集群有 １２８ 个节点 |
      When the client searches for "KUBE"
      Then the results are "kube" in this order
      And a search for "128" returns "kube"
