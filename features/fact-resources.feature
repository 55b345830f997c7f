# Made from openspec/specs/fact-resources/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: fact-resources
  Give a client the most trusted facts of each category before anybody asks a question, as MCP resources that it can list, read and watch.

  Rule: Each category is a resource
    The server MUST list the resources `mnemo://global/identity`, `mnemo://global/coding_style`, `mnemo://global/tool_pref`, `mnemo://global/workflow` and `mnemo://global/general`, and answer `resources/templates/list`, which clients ask beside it, also where it has no template.

    @full
    Scenario: all five are listed
      Given an empty memory
      When the client requests "resources/list"
      Then the resources include "mnemo://global/identity", "mnemo://global/coding_style", "mnemo://global/tool_pref", "mnemo://global/workflow", "mnemo://global/general"

    @full
    Scenario: who asks for templates of resources gets a list
      Given an empty memory
      When the client requests "resources/templates/list"
      Then the request succeeds

  Rule: A resource holds the most trusted facts
    A resource MUST be a JSON array of the ten most trusted facts of its category, however little that is, each with `fact_id`, its whole `content` and `trust_score`; reading counts as no retrieval.

    @full
    Scenario: a category shows its own facts, the most trusted first
      Given a memory with these facts:
        | fact | content | category | trust_score |
        | low | 缩进用四个空格 | coding_style | 0.4 |
        | high | Names are verbs and nouns | coding_style | 0.9 |
        | person | The user is Olivia | identity | 0.5 |
      When the client requests "resources/read" with {"uri": "mnemo://global/coding_style"}
      Then the request succeeds
      And the resource "mnemo://global/coding_style" holds "high", "low" in this order
      And the resource "mnemo://global/identity" holds "person" in this order
      And the resource "mnemo://global/workflow" holds 0 facts

    @full
    Scenario: ten facts are the most
      Given 12 facts like "Harbour note #"
      When the client requests "resources/list"
      Then the resource "mnemo://global/general" holds 10 facts

    @full
    Scenario: a resource shows what changed
      Given a memory with these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      When the client adds these facts:
        | fact | content | category |
        | tongue | 用户说中文和丹麦语 | identity |
      And the client calls fact_feedback with {"action": "helpful", "fact_id": "[id of tongue]"}
      Then the resource "mnemo://global/identity" holds "tongue", "person" in this order

    @full
    Scenario: reading a resource counts as no retrieval
      Given a memory with these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      And what the file holds is noted
      When the client requests "resources/read" with {"uri": "mnemo://global/identity"}
      Then the tables facts and retrieval_log hold what was noted

    @full
    Scenario: a resource shows long facts whole and facts of little trust
      Given a memory with these facts:
        | fact | content | summary | trust_score |
        | book | [6000 characters about whale] | whales | 0.4 |
        | low | 下午四点喝茶 | [none] | 0.1 |
      When the client requests "resources/list"
      Then the resource "mnemo://global/general" holds "book", "low" in this order

  Rule: An unknown resource is a protocol error
    A request to read or to watch any other address MUST be answered with a protocol error, after which the server goes on.

    @full
    Scenario: an unknown category is refused
      Given an empty memory
      When the client requests "resources/read" with {"uri": "mnemo://global/drinks"}
      Then the request fails
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0}

    @full
    Scenario: a file of the machine is no resource
      Given an empty memory
      When the client requests "resources/read" with {"uri": "file:///etc/hosts"}
      Then the request fails

    @full
    Scenario: an unknown resource cannot be watched
      Given an empty memory
      When the client subscribes to "mnemo://global/drinks"
      Then the request fails

  Rule: Subscribers hear of changes
    A client that subscribed to a resource MUST be sent `notifications/resources/updated` once the resource's text is another, whoever changed it, and nothing about other resources.

    @full
    Scenario: an add is told to its subscriber alone
      Given an empty memory
      When the client subscribes to "mnemo://global/identity"
      And the client adds these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
        | tea | Tea is served at four | general |
      Then within 2 seconds the client has heard that "mnemo://global/identity" changed
      And the client has not heard that "mnemo://global/general" changed

    @full
    Scenario: a change by another program is told
      Given a memory with these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      When the client subscribes to "mnemo://global/identity"
      And another program runs "UPDATE facts SET trust_score = 0.9"
      Then within 2 seconds the client has heard that "mnemo://global/identity" changed

    @full
    Scenario: a search is no change
      Given a memory with these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      When the client subscribes to "mnemo://global/identity"
      And the client searches for "Olivia"
      Then the client has not heard that "mnemo://global/identity" changed

    @full
    Scenario: who unsubscribed hears nothing more
      Given an empty memory
      When the client subscribes to "mnemo://global/identity"
      And the client requests "resources/unsubscribe" with {"uri": "mnemo://global/identity"}
      And the client adds these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      Then the client has not heard that "mnemo://global/identity" changed

  Rule: Clients without a handshake hear of changes
    A server SHOULD speak the protocol version 2026-07-28 as well, in which resources MUST be listed, read, and watched by a stream that `subscriptions/listen` opens.

    @full @should
    Scenario: resources are listed and read without a handshake
      Given a client that speaks the protocol version "2026-07-28"
      And a memory with these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
      When the client requests "resources/list"
      Then the resources include "mnemo://global/identity", "mnemo://global/general"
      And the resource "mnemo://global/identity" holds "person" in this order
      And the client requests "resources/read" with {"uri": "mnemo://global/drinks"}
      And the request fails

    @full @should
    Scenario: a stream tells of changes
      Given a client that speaks the protocol version "2026-07-28"
      And an empty memory
      When the client subscribes to "mnemo://global/identity"
      And the client adds these facts:
        | fact | content | category |
        | person | The user is Olivia | identity |
        | tea | Tea is served at four | general |
      Then within 2 seconds the client has heard that "mnemo://global/identity" changed
      And the client has not heard that "mnemo://global/general" changed

    @full @should
    Scenario: a stream of an unknown resource is refused
      Given a client that speaks the protocol version "2026-07-28"
      And an empty memory
      When the client subscribes to "mnemo://global/drinks"
      Then the request fails
