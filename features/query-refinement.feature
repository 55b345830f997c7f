# Made from openspec/specs/query-refinement/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: query-refinement
  Tell questions from orders: an assistant that passes each sentence of its user to the memory would search for "continue" and "run the tests". Such a query is answered at once and says how to search all the same; from every other query only the politeness is dropped.

  Rule: A skipped query says how to search it
    A query that is nothing but an operation MUST be answered with no results and a `skipped` that names `refine=false`, with which the same query is searched.

    @full
    Scenario: the reason names the way out
      Given a memory with these facts:
        | fact | content |
        | rule | Run the tests before you push to remote |
      When the client searches for "run the tests"
      Then there are no results
      And the answer's "skipped" mentions "refine=false"
      And the client searches for "run the tests" with {"refine": false}
      And the results are "rule" in this order

    @full
    Scenario: refine may come as text
      Given a memory with these facts:
        | fact | content |
        | rule | 运行测试前先清空缓存 |
      When the client searches for "运行测试" with {"refine": "false"}
      Then the results are "rule" in this order

  Rule: Operations are known in both languages
    Orders, commands and replies that name nothing MUST be skipped in Chinese and in English, however they are written, and MUST leave the log as it is.

    @full
    Scenario: Chinese orders and replies are skipped
      Given an empty memory
      When the client searches for "继续"
      Then the answer's "skipped" mentions "refine"
      And the client searches for "好的，继续"
      And the answer's "skipped" mentions "refine"
      And the client searches for "提交代码"
      And the answer's "skipped" mentions "refine"
      And the client searches for "帮我運行測試"
      And the answer's "skipped" mentions "refine"
      And the log has 0 entries

    @full
    Scenario: English orders, commands and replies are skipped
      Given an empty memory
      When the client searches for "continue"
      Then the answer's "skipped" mentions "refine"
      And the client searches for "OK, go on"
      And the answer's "skipped" mentions "refine"
      And the client searches for "git push origin main"
      And the answer's "skipped" mentions "refine"
      And the client searches for "npm install"
      And the answer's "skipped" mentions "refine"
      And the client searches for "Please ＲＵＮ the tests!"
      And the answer's "skipped" mentions "refine"
      And the log has 0 entries

  Rule: An action alone is searched
    A query of one word that names an action ("restart", 撤销) MUST be searched, since it may be what somebody looks up; one that only answers or goes on ("yes", "continue", 行) MUST be skipped, and so MUST an action with anything that makes it an order.

    @full
    Scenario: an English action is searched alone and skipped as an order
      Given a memory with these facts:
        | fact | content |
        | order | After a restart the kiln's cache is cold |
        | yes | Yes is the name of a band that Olivia likes |
      When the client searches for "restart"
      Then the results are "order" in this order
      And the client searches for "please restart it"
      And the answer's "skipped" mentions "refine"
      And the client searches for "yes"
      And the answer's "skipped" mentions "refine"
      And the log has 1 entry

    @full
    Scenario: a Chinese action is searched alone and skipped as an order
      Given a memory with these facts:
        | fact | content |
        | undo | 撤销只对窑炉的设置有效 |
        | fine | 行是表格的一部分 |
      When the client searches for "撤销"
      Then the results are "undo" in this order
      And the client searches for "撤销吧"
      And the answer's "skipped" mentions "refine"
      And the client searches for "行"
      And the answer's "skipped" mentions "refine"
      And the log has 1 entry

  Rule: A word of substance is searched
    A query with any word that could name something in the memory MUST be searched, whatever stands around it, and so MUST a question how an operation is done.

    @full
    Scenario: an operation on a named thing is searched
      Given a memory with these facts:
        | fact | content |
        | heron | The Heron Gateway is deployed from Oslo |
        | redis | 提交前要先停掉 valkey 容器 |
      When the client searches for "deploy the Heron Gateway"
      Then the results include "heron"
      And the answer has no "skipped"
      And the client searches for "提交 valkey 配置"
      And the results include "redis"
      And the answer has no "skipped"

    @full
    Scenario: a question about an operation is searched
      Given a memory with these facts:
        | fact | content |
        | tests | Tests run with nox on the build machine |
        | build | 编译要用 cmake 预设 |
      When the client searches for "how do we run the tests"
      Then the results include "tests"
      And the client searches for "怎么编译"
      And the results include "build"

    @full
    Scenario: a query without any word is no operation
      Given an empty memory
      When the client searches for "!!"
      Then there are no results
      And the answer has no "skipped"
      And the log has 1 entry

  Rule: Politeness is dropped
    Polite phrases and filler around a query MUST NOT count in its score, and the log MUST keep the query as it came.

    @full
    Scenario: English politeness does not lower the score
      Given a memory with these facts:
        | fact | content |
        | equal | whale harbour |
      When the client searches for "Could you please tell me: whale harbour, thanks!" with explanation
      Then the result "equal" is explained by {"jaccard": 1.0}
      And the newest log entry holds the query "Could you please tell me: whale harbour, thanks!" with the ids and scores of the answer

    @full
    Scenario: Chinese politeness does not lower the score
      Given a memory with these facts:
        | fact | content |
        | equal | 灯塔 |
      When the client searches for "麻烦帮我看一下灯塔，谢谢" with explanation
      Then the result "equal" is explained by {"jaccard": 1.0}
      And the newest log entry holds the query "麻烦帮我看一下灯塔，谢谢" with the ids and scores of the answer

    @full
    Scenario: a word that only resembles politeness stays
      Given a memory with these facts:
        | fact | content |
        | thanks | The thanksgiving dinner is in November |
      When the client searches for "thanksgiving"
      Then the results are "thanks" in this order
