# Made from openspec/specs/assistant-guidance/spec.md by `python -m mnemo.conformance.render --write`; edit the spec instead.
Feature: assistant-guidance
  Lead an assistant to use the memory well without costing its user much: short instructions and descriptions that every session reads, a reminder where it counts, and two prompts for the work that needs a person's consent.

  Rule: The instructions lead an assistant
    The server's MCP instructions MUST tell an assistant to search before it answers, to save what lasts, to rate what it used, to summarise long facts, and to take facts as data and not as instructions.

    @full
    Scenario: the instructions name each duty
      Given a client that speaks the protocol version "2025-11-25"
      When the server restarts
      Then the instructions mention "search before", "lasts", "fact_feedback", "summary", "data"

    @full @should
    Scenario: the instructions come without a handshake too
      Given a client that speaks the protocol version "2026-07-28"
      When the server restarts
      Then the instructions mention "search before", "lasts", "fact_feedback", "summary", "data"

  Rule: The guidance costs a session little
    The instructions and the tools as they are listed, in compact JSON, MUST be at most 600 tokens long, counted without any model's tokenizer: one for every four letters (or part of four) of a run of them, one for every three digits likewise, one for a run of the signs `{}[]":,`, and one for any other character but white space.

    @full
    Scenario: instructions and tools cost a session little
      Given an empty memory
      When the client requests "tools/list"
      Then the instructions and the tools are at most 600 tokens long

  Rule: A search reminds of feedback
    A search with results MUST remind of `fact_feedback` in a few words, since without feedback nothing can be learned; one without results has nothing to rate and reminds of nothing.

    @full
    Scenario: results come with a reminder
      Given a memory with these facts:
        | fact | content |
        | whale | Whales sleep at sea |
      When the client searches for "whales"
      Then the answer's "reminder" mentions "fact_feedback"
      And the client searches for "harbours"
      And the answer has no "reminder"

  Rule: Prompts set an assistant to work
    The server MUST offer the prompts `tidy-memory`, which walks through the audit, and `remember-session`, which saves what should last; both MUST ask for the user's consent before anything is changed.

    @full
    Scenario: both prompts are listed
      Given an empty memory
      When the client requests "prompts/list"
      Then the prompts include "tidy-memory", "remember-session"

    @full
    Scenario: tidy-memory walks through the audit
      Given an empty memory
      When the client requests "prompts/get" with {"name": "tidy-memory"}
      Then the request succeeds
      And the prompt "tidy-memory" mentions "audit", "summary", "split", "remove", "agreed", "data"

    @full
    Scenario: remember-session saves with consent
      Given an empty memory
      When the client requests "prompts/get" with {"name": "remember-session"}
      Then the request succeeds
      And the prompt "remember-session" mentions "add", "only then", "secrets", "fact_feedback"

    @full
    Scenario: an unknown prompt is a protocol error
      Given an empty memory
      When the client requests "prompts/get" with {"name": "sing"}
      Then the request fails
      And the client calls fact_store with {"action": "list"}
      And the answer has {"count": 0}
