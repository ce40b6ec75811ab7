import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isRead } from "./evidence/kinds";

export const overridesInstructions: Rule = {
  id: "PRM-001",
  version: 1,
  severity: "medium",
  title: "Tells the agent to set its instructions aside",
  why: "A skill has no business with what the agent was told by others.",
  owasp: ["ASI01", "LLM01"],
  applies: isRead,
  patterns: [
    {
      hints: ["ignore", "disregard", "forget", "override", "bypass", "supersede"],
      re: String.raw`\b(?:ignore|disregard|forget|override|overrides|bypass|supersedes?)\s+(?:(?:all|any|the|your|of|every|other|these|those|my|and|or)\s+){0,4}(?:previous|prior|earlier|above|preceding|existing|system|safety|original|security|default|built-in|developer|user(?:'s)?)(?:\s+(?:and|or|system|user|safety|security))*\s+(?:instructions?|rules|guidelines?|prompts?|directives?|restrictions?|polic(?:y|ies)|constraints?|safeguards?|messages?|guardrails)`,
      weigh: weighOrder,
    },
  ],
};

/** In plain text and not quoted it is said to the agent; elsewhere somebody speaks of it. */
function weighOrder(match: Match) {
  if (isShownAsBad(match)) return "info";
  const quoted = /["'“‘`«]\s*$/.test(match.before) || /^[^.\n]{0,80}["'”’`»]/.test(match.after);
  const starts = /(?:^|[.!?:>*\-–—#]|\n)\s*(?:\*\*|please|now|you must|you should|important:?|note:?)?\s*$/i.test(
    match.before,
  );
  return match.file.kind === "prose" && starts && !quoted && !match.inCode ? "high" : true;
}
