# Made from openspec/specs/length-penalty/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: length-penalty
  Keep long facts from winning every search. A fact with much text shares words with almost any query, so its score shrinks in proportion to how far the text that is matched (the summary where there is one, else the content) exceeds 300 characters.

  Rule: Scoring formula includes length penalty based on match text
    The score of a result MUST be multiplied by `min(1, 300 / length)`, where length counts the characters, spaces around them included, of the summary if the fact has a non-empty one, and of the content otherwise.

    Scenario: Short fact gets no penalty
      Given a memory with these facts:
        | fact | content |
        | short | [150 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "short" is explained by {"length_penalty": 1.0}
      And the score of the result "short" is relevance x 0.5 x 1.0

    Scenario: Long fact without summary gets penalized
      Given a memory with these facts:
        | fact | content |
        | long | [1500 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"length_penalty": 0.2}
      And the score of the result "long" is relevance x 0.5 x 0.2

    Scenario: Long fact with short summary gets no penalty
      Given a memory with these facts:
        | fact | content | summary |
        | long | [2000 characters about harbour] | [50 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"length_penalty": 1.0}
      And the score of the result "long" is relevance x 0.5 x 1.0

    Scenario: a summary of 600 characters is penalized by its own length
      Given a memory with these facts:
        | fact | content | summary |
        | long | [2000 characters about harbour] | [600 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"length_penalty": 0.5}
      And the score of the result "long" is relevance x 0.5 x 0.5

    Scenario: a short fact with a long summary is penalized by the summary
      Given a memory with these facts:
        | fact | content | summary |
        | short | [40 characters about harbour] | [400 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "short" is explained by {"length_penalty": 0.75}

    Scenario: an empty summary in the file leaves the content to count
      Given a memory with these facts:
        | fact | content |
        | long | [600 characters about 蓝鲸] |
      And the fact "long" has in the file {"summary": ""}
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"length_penalty": 0.5}

    Scenario: Boundary at 300 chars of match text
      Given a memory with these facts:
        | fact | content |
        | exactly | [300 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "exactly" is explained by {"length_penalty": 1.0}
      And the score of the result "exactly" is relevance x 0.5 x 1.0

    Scenario: one character more than 300 is penalized
      Given a memory with these facts:
        | fact | content |
        | over | [301 characters about 蓝鲸] |
      When the client searches for "蓝鲸" with explanation
      Then the result "over" is explained by {"length_penalty": 0.9967}
      And the score of the result "over" is relevance x 0.5 x 0.9967

    Scenario: Chinese text is measured in characters and not in bytes
      Given a memory with these facts:
        | fact | content |
        | exactly | [300 Chinese characters about 蓝鲸] |
        | double | [600 Chinese characters about 白鲸] |
      When the client searches for "蓝鲸 白鲸" with explanation
      Then the result "exactly" is explained by {"length_penalty": 1.0}
      And the result "double" is explained by {"length_penalty": 0.5}

    Scenario: spaces around the match text count as characters
      Given a memory with these facts:
        | fact | content | summary |
        | told | Harbours open at six | [301 characters about 蓝鲸 with spaces around it] |
        | plain | [301 characters about 白鲸 with spaces around it] | [none] |
      When the client searches for "蓝鲸 白鲸" with explanation
      Then the result "told" is explained by {"length_penalty": 0.9967}
      And the result "plain" is explained by {"length_penalty": 0.9967}

    Scenario: long tags cost no score
      Given a memory with these facts:
        | fact | content |
        | short | [200 characters about 蓝鲸] |
      And the fact "short" has in the file {"tags": "[400 characters about harbour]"}
      When the client searches for "蓝鲸" with explanation
      Then the result "short" is explained by {"length_penalty": 1.0}

    Scenario: a summary of spaces in the file leaves the content to count
      Given a memory with these facts:
        | fact | content |
        | long | [600 characters about 蓝鲸] |
      And the fact "long" has in the file {"summary": "  "}
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"length_penalty": 0.5}

    Scenario: a sign that stands for several letters is one character
      Given an empty memory
      When another program runs "INSERT INTO facts(content) SELECT 'whale ' || replace(hex(zeroblob(290)), '00', '㎏')"
      And the client searches for "whale" with explanation
      Then the answer has {"results": [{"explain": {"length_penalty": 1.0}}]}

  Rule: Length penalty applies after all other scoring
    The length penalty MUST multiply the finished product of relevance, trust and decay, before the results are ranked and before `limit` cuts them.

    Scenario: Penalty stacks with trust score
      Given a memory with these facts:
        | fact | content | trust_score |
        | long | [900 characters about 蓝鲸] | 0.8 |
      When the client searches for "蓝鲸" with explanation
      Then the result "long" is explained by {"trust": 0.8, "length_penalty": 0.3333}
      And the score of the result "long" is relevance x 0.8 x 0.3333

    Scenario: the penalty decides between a long fact and a less relevant short one
      Given a memory with these facts:
        | fact | content |
        | long | [3000 characters about harbour crane inspection rota, harbour crane inspection rota] |
        | short | The crane inspection rota of the northern depot hangs beside the lift |
        | other | Olivia prefers green tea in the afternoon |
        | third | The mail server is restarted on the first Monday of the month |
        | last | Reports about the greenhouse are due in March |
      When the client searches for "harbour crane inspection rota" with explanation
      Then the results are "short", "long" in this order
      And the result "long" is explained by {"length_penalty": 0.1}
      And the result "short" is explained by {"length_penalty": 1.0}

    Scenario: a penalty of one half turns the order
      Given a memory with these facts:
        | fact | content |
        | long | [600 characters about harbour crane inspection rota] |
        | short | The inspection rota of the northern depot hangs beside the lift |
        | other | Olivia prefers green tea in the afternoon |
        | third | The mail server is restarted on the first Monday of the month |
      When the client searches for "harbour crane inspection rota" with explanation
      Then the results are "short", "long" in this order
      And the result "long" is explained by {"length_penalty": 0.5}
      And the result "short" is explained by {"length_penalty": 1.0}

    Scenario: the limit cuts after the penalty
      Given a memory with these facts:
        | fact | content |
        | long | [600 characters about harbour crane inspection rota] |
        | short | The inspection rota of the northern depot hangs beside the lift |
        | other | Olivia prefers green tea in the afternoon |
        | third | The mail server is restarted on the first Monday of the month |
      When the client searches for "harbour crane inspection rota" with {"limit": 1}
      Then the results are "short" in this order

    Scenario: a long fact with little relevance is still returned
      Given a memory with these facts:
        | fact | content |
        | vast | [20000 characters about harbour] |
      When the client searches for "harbour" with explanation
      Then the results are "vast" in this order
      And the result "vast" is explained by {"length_penalty": 0.015}
