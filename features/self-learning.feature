# Made from openspec/specs/self-learning/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: self-learning
  Let use decide what the memory believes in. Facts that are returned often and hardly ever help lose trust, facts that help gain it, facts that nobody has needed for two months fade, and a report shows what should be shortened, split or summarised. Nothing is ever deleted by it.

  Rule: learn action adjusts trust scores automatically
    `fact_store(action="learn")` SHALL multiply the trust of a fact by 0.9 if `retrieval_count > 30` and its rate is below 0.05, and add 0.05 (to at most 1) if `retrieval_count > 30` and its rate is above 0.3, where the rate is `helpful_count / max(retrieval_count, 1)`.

    Scenario: High retrieval low helpful fact gets demoted
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | noisy | Whales sleep at sea | 100 | 2 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 0, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score | retrieval_count | helpful_count |
        | noisy | 0.45 | 100 | 2 |

    Scenario: 31 retrievals without help demote and 30 do not
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | thirty | Whales sleep at sea | 30 | 0 |
        | more | Harbours open at six | 31 | 0 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | thirty | 0.5 |
        | more | 0.45 |

    Scenario: a rate of exactly 0.05 does not demote and one just below does
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | exactly | Whales sleep at sea | 100 | 5 |
        | below | Harbours open at six | 101 | 5 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | exactly | 0.5 |
        | below | 0.45 |

    Scenario: High helpful rate fact gets promoted
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | useful | Whales sleep at sea | 50 | 20 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1, "demoted": 0, "aged": 0, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score | retrieval_count | helpful_count |
        | useful | 0.55 | 50 | 20 |

    Scenario: a rate of exactly 0.3 does not promote and one just above does
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | exactly | Whales sleep at sea | 40 | 12 |
        | above | Harbours open at six | 101 | 31 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | exactly | 0.5 |
        | above | 0.55 |

    Scenario: 31 retrievals with much help promote and 30 do not
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | thirty | Whales sleep at sea | 30 | 30 |
        | more | Harbours open at six | 31 | 31 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | thirty | 0.5 |
        | more | 0.55 |

    Scenario: a promotion stops at a trust of 1
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | trust_score |
        | close | Whales sleep at sea | 50 | 20 | 0.98 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1, "demoted": 0, "aged": 0, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score |
        | close | 1.0 |

    Scenario: a fact of trust 1 that would be promoted counts as unchanged
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | trust_score |
        | full | Whales sleep at sea | 50 | 20 | 1.0 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | full | 1.0 |

    Scenario: Low retrieval count facts are not adjusted
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | silent | Whales sleep at sea | 10 | 0 |
        | useful | Harbours open at six | 10 | 10 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 2}
      And the file has these facts:
        | fact | trust_score |
        | silent | 0.5 |
        | useful | 0.5 |

    Scenario: a fact that was never retrieved is not adjusted
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | fresh | Whales sleep at sea | 0 | 3 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | fresh | 0.5 |

    Scenario: learning repeats as often as it is called
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | noisy | Whales sleep at sea | 100 | 2 |
      When the client calls fact_store with {"action": "learn"}
      And the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 0, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score |
        | noisy | 0.405 |

    Scenario: every one of 1001 facts is learned from and counted
      Given 1001 facts like "Whale #"
      And another program runs "UPDATE facts SET retrieval_count = 40"
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"demoted": 1001, "unchanged": 0}
      And the client calls fact_store with {"action": "audit"}
      And the answer has {"total_facts": 1001}

    Scenario: more help than retrievals promotes
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | useful | Whales sleep at sea | 31 | 40 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1}

  Rule: learn action applies aging decay based on last_retrieved_at
    Learning MUST multiply by 0.95 the trust of each fact whose `last_retrieved_at` is more than 60 days ago; a fact that was never retrieved is not aged.

    Scenario: Stale fact gets aged
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 1, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score | last_retrieved_at |
        | stale | 0.475 | [61 days ago] |

    Scenario: 60 days and a second age a fact and a minute less than 60 days do not
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | over | Whales sleep at sea | [60 days and 1 second ago] |
        | not yet | Harbours open at six | [60 days less 1 minute ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 1, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | over | 0.475 |
        | not yet | 0.5 |

    Scenario: a fact ages when 61 days pass after a search
      Given a memory with these facts:
        | fact | content |
        | stale | Whales sleep at sea |
        | other | Harbours open at six |
      And the client searches for "whales"
      When 61 days pass
      And the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 1, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |
        | other | 0.5 |

    Scenario: Recently retrieved fact is not aged
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | recent | Whales sleep at sea | [10 days ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | recent | 0.5 |

    Scenario: Never retrieved fact gets aged
      Given a memory with these facts:
        | fact | content | last_retrieved_at | created_at | updated_at |
        | never | Whales sleep at sea | [none] | [400 days ago] | [400 days ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score | last_retrieved_at |
        | never | 0.5 | [none] |

    Scenario: a fact is demoted and aged in one run
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at |
        | both | Whales sleep at sea | 100 | 2 | [61 days ago] |
        | plain | Harbours open at six | 0 | 0 | [none] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 1, "unchanged": 1}
      And the file has these facts:
        | fact | trust_score |
        | both | 0.4275 |
        | plain | 0.5 |

    Scenario: a fact is promoted and aged in one run
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at |
        | both | Whales sleep at sea | 50 | 20 | [61 days ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1, "demoted": 0, "aged": 1, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score |
        | both | 0.5225 |

  Rule: Learning deletes nothing
    Neither learning nor ageing MUST ever remove a fact or change its text, counters or times, or the log of searches.

    Scenario: a fact of little trust is aged and kept
      Given a memory with these facts:
        | fact | content | tags | trust_score | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | faint | Whales sleep at sea | sea | 0.01 | 900 | 0 | [300 days ago] | [400 days ago] | [350 days ago] |
      And what the file holds is noted
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 1, "aged": 1, "unchanged": 0}
      And the fact "faint" differs from what was noted in "trust_score" alone
      And the file has these facts:
        | fact | trust_score |
        | faint | 0.00855 |

    Scenario: a start keeps a fact of little trust
      Given a memory with these facts:
        | fact | content | tags | trust_score | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | faint | Whales sleep at sea | sea | 0.01 | 900 | 0 | [300 days ago] | [400 days ago] | [350 days ago] |
      When the server restarts and has learned
      Then the file has these facts:
        | fact | content | tags | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | faint | Whales sleep at sea | sea | 900 | 0 | [300 days ago] | [400 days ago] | [350 days ago] |

    Scenario: a promotion changes trust alone
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at | created_at | updated_at |
        | useful | Whales sleep at sea | 50 | 20 | [10 days ago] | [50 days ago] | [40 days ago] |
      And the client searches for "zeppelin"
      And the log has 1 entry
      And what the file holds is noted
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 1}
      And the fact "useful" differs from what was noted in "trust_score" alone
      And the log has 1 entry

  Rule: learn returns adjustment summary with quality report
    The answer to `learn` MUST hold the counts `promoted`, `demoted`, `aged` (of facts whose trust the rule changed, which it cannot above 1 or below 0) and `unchanged` (those that no rule changed), and `long_facts`: the facts whose length penalty is below 1, strongest penalty first, at most `limit` (50), each as `{"id", "content_length", "penalty", "has_summary"}` with the penalty to 3 places.

    Scenario: Learn returns summary with long_facts report
      Given a memory with these facts:
        | fact | content |
        | vast | [3921 characters about whale] |
        | short | Harbours open at six |
      When the client calls fact_store with {"action": "learn"}
      Then the answer is {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 2, "long_facts": [{"id": "[id of vast]", "content_length": 3921, "penalty": 0.077, "has_summary": false}]}

    Scenario: a long summary is listed with the length of the content
      Given a memory with these facts:
        | fact | content | summary |
        | told | [2000 characters about whale] | [600 characters about harbour] |
        | brief | [2000 characters about crane] | about cranes |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"long_facts": [{"id": "[id of told]", "content_length": 2000, "penalty": 0.5, "has_summary": true}]}

    Scenario: the strongest penalty comes first
      Given a memory with these facts:
        | fact | content |
        | three | [300 characters about crane] |
        | four | [301 characters about lift] |
        | large | [3095 characters about whale] |
        | middle | [600 characters about rota] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"long_facts": [{"id": "[id of large]", "content_length": 3095, "penalty": 0.097, "has_summary": false}, {"id": "[id of middle]", "content_length": 600, "penalty": 0.5, "has_summary": false}, {"id": "[id of four]", "content_length": 301, "penalty": 0.997, "has_summary": false}]}

    Scenario: the penalty orders long facts, not the length of their contents
      Given a memory with these facts:
        | fact | content | summary |
        | told | [2000 characters about whale] | [400 characters about crane] |
        | plain | [600 characters about rota] |  |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"long_facts": [{"id": "[id of plain]", "content_length": 600, "penalty": 0.5, "has_summary": false}, {"id": "[id of told]", "content_length": 2000, "penalty": 0.75, "has_summary": true}]}

    Scenario: a limit above 50 lists more long facts
      Given 52 facts like "[900 characters about whale #]"
      When the client calls fact_store with {"action": "learn", "limit": 60}
      Then the answer has 52 entries in "long_facts"

    Scenario: at most 50 long facts are listed
      Given 51 facts like "[900 characters about whale #]"
      When the client calls fact_store with {"action": "learn"}
      Then the answer has 50 entries in "long_facts"
      And the answer has {"unchanged": 51}

    Scenario: a limit shortens the list of long facts
      Given a memory with these facts:
        | fact | content |
        | large | [3000 characters about whale] |
        | less | [600 characters about rota] |
      When the client calls fact_store with {"action": "learn", "limit": 1}
      Then the answer has {"unchanged": 2, "long_facts": [{"id": "[id of large]", "content_length": 3000, "penalty": 0.1, "has_summary": false}]}

    Scenario: the report measures Chinese text in characters
      Given a memory with these facts:
        | fact | content |
        | exactly | [300 Chinese characters about 鲸鱼] |
        | double | [600 Chinese characters about 港口] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"long_facts": [{"id": "[id of double]", "content_length": 600, "penalty": 0.5, "has_summary": false}]}

    Scenario: a summary of spaces counts as none in the report
      Given a memory with these facts:
        | fact | content |
        | long | [600 characters about whale] |
      And the fact "long" has in the file {"summary": "  "}
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"long_facts": [{"id": "[id of long]", "content_length": 600, "penalty": 0.5, "has_summary": false}]}

    Scenario: a fact without any trust is reported as long too
      Given a memory with these facts:
        | fact | content | trust_score |
        | none | [600 characters about whale] | 0.0 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"unchanged": 1, "long_facts": [{"id": "[id of none]", "content_length": 600}]}

    Scenario: an empty memory has nothing to learn
      Given an empty memory
      When the client calls fact_store with {"action": "learn"}
      Then the answer is {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 0, "long_facts": []}

    Scenario: the limit cuts after the strongest penalty came first
      Given a memory with these facts:
        | fact | content |
        | less | [600 characters about rota] |
        | large | [3000 characters about whale] |
      When the client calls fact_store with {"action": "learn", "limit": 1}
      Then the answer has {"long_facts": [{"id": "[id of large]", "penalty": 0.1}]}

    Scenario: what has no trust is not demoted or aged
      Given a memory with these facts:
        | fact | content | trust_score | retrieval_count | helpful_count | last_retrieved_at |
        | none | Whales sleep at sea | 0.0 | 100 | 0 | [61 days ago] |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 0, "unchanged": 1}

  Rule: Server startup triggers learn with non-blocking delay
    After a start the server MUST answer the handshake first, then run the learning rules once by itself, and report what it did in one line on stderr, such as `learned: promoted 0, demoted 0, aged 1, unchanged 0`: the four words in any order, each followed by its number, with at most four other signs between the two (`"aged": 1` and `aged=1` too). What it changed and the line MUST be there within 2 seconds of the handshake, or of the first answer where there is no handshake.

    Scenario: Learn runs after MCP handshake
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
        | fresh | Harbours open at six | [none] |
      When the server restarts
      Then within 2 seconds the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |
        | fresh | 0.5 |
      And within 2 seconds one line of stderr says promoted 0, demoted 0, aged 1, unchanged 1
      And the handshake was answered before the server learned

    Scenario: a server without a client learns nothing
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and the client waits 3 seconds before the handshake
      Then the handshake was answered before the server learned
      And within 2 seconds the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |

    Scenario: the start-up run demotes and promotes too
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | noisy | Whales sleep at sea | 100 | 2 |
        | useful | Harbours open at six | 50 | 20 |
      When the server restarts
      Then within 2 seconds the file has these facts:
        | fact | trust_score |
        | noisy | 0.45 |
        | useful | 0.55 |
      And within 2 seconds one line of stderr says promoted 1, demoted 1, aged 0, unchanged 0

    Scenario: learning at start-up happens once a start
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And the client calls fact_store with {"action": "list"}
      And the client waits 6 seconds
      And the client calls fact_store with {"action": "list"}
      Then the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |
      And within 2 seconds one line of stderr says promoted 0, demoted 0, aged 1, unchanged 0

  Rule: Several starts a day do not sink a fact
    A start-up run SHOULD skip, for each fact and rule, what a start-up run already did within the last 24 hours, and SHOULD NOT take a fact below a trust of 0.3. No fact MUST ever be lost by it.

    @full @should
    Scenario: a second start on the same day ages nothing again
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And the server restarts and has learned
      Then within 2 seconds one line of stderr says promoted 0, demoted 0, aged 0, unchanged 1
      And the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |

    @full @should
    Scenario: a start 23 hours later ages nothing again
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And 23 hours pass
      And the server restarts and has learned
      Then the file has these facts:
        | fact | trust_score |
        | stale | 0.475 |

    @full @should
    Scenario: a start 25 hours later ages again
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And 25 hours pass
      And the server restarts and has learned
      Then the file has these facts:
        | fact | trust_score |
        | stale | 0.45125 |

    @full @should
    Scenario: a start 24 hours and a minute later ages again
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And 1441 minutes pass
      And the server restarts and has learned
      Then the file has these facts:
        | fact | trust_score |
        | stale | 0.45125 |

    @full @should
    Scenario: another rule applies on the same day
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And the fact "stale" has in the file {"retrieval_count": 100, "helpful_count": 2}
      And the server restarts and has learned
      Then within 2 seconds one line of stderr says promoted 0, demoted 1, aged 0, unchanged 0
      And the file has these facts:
        | fact | trust_score |
        | stale | 0.4275 |

    @full @should
    Scenario: a start takes no fact below a trust of 0.3
      Given a memory with these facts:
        | fact | content | last_retrieved_at | retrieval_count | trust_score |
        | low | Whales sleep at sea | [61 days ago] | 100 | 0.31 |
      When the server restarts and has learned
      Then the file answers "SELECT trust_score >= 0.3, trust_score <= 0.31 FROM facts" with [[1, 1]]
      And a search for "whales" returns "low"

    @full @should
    Scenario: a start ages a fact that keeps more than 0.3
      Given a memory with these facts:
        | fact | content | last_retrieved_at | trust_score |
        | close | Whales sleep at sea | [61 days ago] | 0.32 |
      When the server restarts and has learned
      Then the file has these facts:
        | fact | trust_score |
        | close | 0.304 |

    @full @should
    Scenario: a start leaves a fact alone that is already below 0.3
      Given a memory with these facts:
        | fact | content | last_retrieved_at | trust_score |
        | sunk | Whales sleep at sea | [61 days ago] | 0.2 |
      When the server restarts and has learned
      Then the file has these facts:
        | fact | trust_score |
        | sunk | 0.2 |

    @full @should
    Scenario: a trusted fact outlives ten starts without a search
      Given a memory with these facts:
        | fact | content | last_retrieved_at | trust_score |
        | gold | Whales sleep at sea | [80 days ago] | 0.9 |
      When the server restarts and has learned, 10 times
      Then the file answers "SELECT count(*), min(trust_score) > 0.3 FROM facts" with [[1, 1]]
      And a search for "whales" returns "gold"

    @full @should
    Scenario: a second start on the same day demotes and promotes nothing again
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | noisy | Whales sleep at sea | 100 | 2 |
        | useful | Harbours open at six | 50 | 20 |
      When the server restarts and has learned, 2 times
      Then within 2 seconds one line of stderr says promoted 0, demoted 0, aged 0, unchanged 2
      And the file has these facts:
        | fact | trust_score |
        | noisy | 0.45 |
        | useful | 0.55 |

  Rule: The learn action applies the rules to the letter
    Whatever a start did before, and however little trust a fact has left, the `learn` action MUST apply every rule each time that it is called.

    Scenario: the learn action ages on the day of a start
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | stale | Whales sleep at sea | [61 days ago] |
      When the server restarts and has learned
      And the client calls fact_store with {"action": "learn"}
      Then the answer has {"promoted": 0, "demoted": 0, "aged": 1, "unchanged": 0}
      And the file has these facts:
        | fact | trust_score |
        | stale | 0.45125 |

    Scenario: the learn action goes below 0.3
      Given a memory with these facts:
        | fact | content | last_retrieved_at | trust_score |
        | low | Whales sleep at sea | [61 days ago] | 0.3 |
      When the client calls fact_store with {"action": "learn"}
      Then the file has these facts:
        | fact | trust_score |
        | low | 0.285 |

    Scenario: the least trust is demoted too
      Given a memory with these facts:
        | fact | content | trust_score | retrieval_count | helpful_count |
        | sunk | Whales sleep at sea | 0.004 | 100 | 0 |
      When the client calls fact_store with {"action": "learn"}
      Then the answer has {"demoted": 1, "unchanged": 0}
      And the file answers "SELECT round(trust_score, 4) FROM facts" with [[0.0036]]

  Rule: audit action returns data quality report
    `fact_store(action="audit")` SHALL return `total_facts`, `long_without_summary` (content over 500 characters, no summary), `low_helpful_rate` (`retrieval_count > 30` and rate below 0.05), `aging_candidates` (`last_retrieved_at` over 60 days ago) and `statistics`, each list with the worst first (the longest in characters, the lowest rate, the longest ago) and at most `limit` (50) facts, and MUST NOT change any data.

    Scenario: Audit returns quality report
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at |
        | long | [501 characters about whale] | 0 | 0 | [none] |
        | noisy | Harbours open at six | 40 | 1 | [1 days ago] |
        | stale | Cranes are painted yellow | 5 | 2 | [61 days ago] |
        | fine | Tea is served at four | 50 | 20 | [1 days ago] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"total_facts": 4, "long_without_summary": [{"id": "[id of long]", "content_length": 501}], "low_helpful_rate": [{"id": "[id of noisy]", "rate": 0.025, "retrieval_count": 40, "helpful_count": 1}], "aging_candidates": [{"id": "[id of stale]", "last_retrieved_at": "[61 days ago]"}], "statistics": "[any object]"}

    Scenario: only content over 500 characters without a summary is listed as long
      Given a memory with these facts:
        | fact | content | summary |
        | exactly | [500 characters about whale] | [none] |
        | over | [501 characters about harbour] | [none] |
        | told | [501 characters about crane] | about cranes |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"total_facts": 3, "long_without_summary": [{"id": "[id of over]", "content_length": 501}]}

    Scenario: only a rate below 0.05 over more than 30 retrievals is listed as low
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | thirty | Whales sleep at sea | 30 | 0 |
        | more | Harbours open at six | 31 | 0 |
        | exactly | Cranes are painted yellow | 100 | 5 |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"low_helpful_rate": [{"id": "[id of more]", "rate": 0, "retrieval_count": 31, "helpful_count": 0}]}

    Scenario: only facts retrieved over 60 days ago are candidates for ageing
      Given a memory with these facts:
        | fact | content | last_retrieved_at |
        | over | Whales sleep at sea | [60 days and 1 second ago] |
        | not yet | Harbours open at six | [60 days less 1 minute ago] |
        | never | Cranes are painted yellow | [none] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"aging_candidates": [{"id": "[id of over]", "last_retrieved_at": "[60 days and 1 second ago]"}]}

    Scenario: a fact without any trust is in every list of the audit
      Given a memory with these facts:
        | fact | content | trust_score | retrieval_count | helpful_count | last_retrieved_at |
        | none | [501 characters about whale] | 0.0 | 31 | 0 | [61 days ago] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"total_facts": 1, "long_without_summary": [{"id": "[id of none]"}], "low_helpful_rate": [{"id": "[id of none]"}], "aging_candidates": [{"id": "[id of none]"}]}

    Scenario: the audit measures Chinese text in characters
      Given a memory with these facts:
        | fact | content |
        | exactly | [500 Chinese characters about 鲸鱼] |
        | over | [501 Chinese characters about 港口] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"long_without_summary": [{"id": "[id of over]", "content_length": 501}]}

    Scenario: the lists put the worst first
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at |
        | alpha | [501 characters about whale] | 50 | 2 | [61 days ago] |
        | beta | [900 Chinese characters about 鲸鱼] | 50 | 1 | [90 days ago] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"long_without_summary": [{"id": "[id of beta]", "content_length": 900}, {"id": "[id of alpha]", "content_length": 501}], "low_helpful_rate": [{"id": "[id of beta]", "rate": 0.02, "retrieval_count": 50, "helpful_count": 1}, {"id": "[id of alpha]", "rate": 0.04, "retrieval_count": 50, "helpful_count": 2}], "aging_candidates": [{"id": "[id of beta]", "last_retrieved_at": "[90 days ago]"}, {"id": "[id of alpha]", "last_retrieved_at": "[61 days ago]"}]}

    Scenario: each list holds at most 50 facts
      Given 51 facts like "[900 characters about whale #]"
      When the client calls fact_store with {"action": "audit"}
      Then the answer has 50 entries in "long_without_summary"
      And the answer has {"total_facts": 51}

    Scenario: a limit above 50 lengthens the lists of the audit
      Given 52 facts like "[900 characters about whale #]"
      When the client calls fact_store with {"action": "audit", "limit": 60}
      Then the answer has 52 entries in "long_without_summary"

    Scenario: spaces around the content count in both reports
      Given a memory with these facts:
        | fact | content |
        | whale | [501 characters about whale with spaces around it] |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"long_without_summary": [{"id": "[id of whale]", "content_length": 501}]}
      And the client calls fact_store with {"action": "learn"}
      And the answer has {"long_facts": [{"id": "[id of whale]", "content_length": 501, "penalty": 0.599, "has_summary": false}]}

    Scenario: a summary of spaces counts as none in the audit
      Given a memory with these facts:
        | fact | content |
        | whale | [600 characters about whale] |
      And the fact "whale" has in the file {"summary": "  "}
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"long_without_summary": [{"id": "[id of whale]", "content_length": 600}]}

    Scenario: a limit shortens each list of the audit
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at |
        | alpha | [501 characters about whale] | 50 | 2 | [61 days ago] |
        | beta | [900 characters about crane] | 50 | 1 | [90 days ago] |
      When the client calls fact_store with {"action": "audit", "limit": 1}
      Then the answer has {"total_facts": 2, "long_without_summary": [{"id": "[id of beta]"}], "low_helpful_rate": [{"id": "[id of beta]"}], "aging_candidates": [{"id": "[id of beta]"}]}

    Scenario: Audit does not modify data
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count | last_retrieved_at | trust_score |
        | long | [501 characters about whale] | 0 | 0 | [none] | 0.5 |
        | noisy | Harbours open at six | 100 | 1 | [1 days ago] | 0.6 |
        | stale | Cranes are painted yellow | 5 | 2 | [61 days ago] | 0.7 |
      And a log with 3 entries
      And what the file holds is noted
      When the client calls fact_store with {"action": "audit"}
      And the client calls fact_store with {"action": "audit"}
      Then the tables facts and retrieval_log hold what was noted

    Scenario: each list of the audit holds at most 50 facts
      Given 51 facts like "Whale #"
      And another program runs "UPDATE facts SET retrieval_count = 40, last_retrieved_at = '2020-01-01 00:00:00'"
      When the client calls fact_store with {"action": "audit"}
      Then the answer has 50 entries in "low_helpful_rate"
      And the answer has 50 entries in "aging_candidates"

  Rule: The audit shows rates to four places
    The `rate` of a fact in `low_helpful_rate` MUST be rounded to 4 places.

    @full
    Scenario: a rate with many places is rounded
      Given a memory with these facts:
        | fact | content | retrieval_count | helpful_count |
        | rare | Whales sleep at sea | 31 | 1 |
      When the client calls fact_store with {"action": "audit"}
      Then the answer has {"low_helpful_rate": [{"id": "[id of rare]", "rate": 0.0323, "retrieval_count": 31, "helpful_count": 1}]}
