import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isRead } from "./evidence/kinds";
import { isOwnOrPlaceholder } from "./evidence/places";

const FETCH = "(?:fetch|download|curl|wget|retrieve|load|read|get|pull|visit|open|access|webfetch|check)";
const FOLLOW = String.raw`(?:follow|execute|obey|run|apply|perform|comply\s+with|carry\s+out|act\s+on|do)`;
const ORDERS = String.raw`(?:instructions?|commands?|steps|directives?|orders|prompts?|tasks?|payload|configuration\s+commands)`;

const ORDER_HINTS = ["instruction", "command", "steps", "directive", "orders", "prompt", "task", "payload"];

export const remoteInstructions: Rule = {
  id: "AGT-002",
  version: 1,
  severity: "high",
  title: "Takes its instructions from the network",
  why: "Whoever controls that address decides later, and without a review, what the agent does.",
  owasp: ["ASI04", "ASI01", "LLM03"],
  applies: isRead,
  patterns: [
    {
      hints: [...ORDER_HINTS, "it says", "it contains", "it returns", "content"],
      lines: 1,
      re: String.raw`\b${FETCH}\w*\b[^\n]{0,120}https?://[^\s)"'\x60]+[^\n]{0,120}\b(?:and|then|,)\s+(?:then\s+|always\s+|immediately\s+|strictly\s+)?${FOLLOW}\s+(?:all\s+|any\s+|the\s+|those\s+|its\s+|these\s+|every\s+|whatever\s+)*(?:\w+\s+){0,2}(?:${ORDERS}|it\s+(?:says|contains|returns)|contents?\b)`,
      weigh: unlessShownAsBad("info", ({ text }) => !isOwnOrPlaceholder(text)),
    },
    {
      hints: ORDER_HINTS,
      lines: 1,
      re: String.raw`\b(?:${FOLLOW}|get|fetch|load|receive|retrieve|download|check\s+for)\s+(?:(?:all|any|the|your|latest|updated|current|new|additional|further|its|their|remote|dynamic|full)\s+){0,3}(?:${ORDERS})\s+(?:that\s+are\s+)?(?:(?:found|located|hosted|returned|provided|published|listed|given)\s+)?(?:at|from|in|on|by|via)\s+[\x60<("\[]*https?://`,
      weigh: unlessShownAsBad("info", ({ text, line, after }) => {
        if (isOwnOrPlaceholder(`${text}${after.slice(0, 80)}`)) return false;
        // Install and set-up instructions on a vendor's page are for people to read.
        return /\b(?:install\w*|set-?up|documentation|docs|guide|readme)\b/i.test(line) ? "medium" : true;
      }),
    },
    {
      hints: [
        "skill.md",
        "heartbeat.md",
        "instructions.md",
        "prompt.md",
        "instructions.txt",
        "commands.txt",
        "prompt.txt",
      ],
      re: String.raw`\b(?:curl|wget|iwr|fetch|requests\.get|urlopen|webfetch)\b[^\n]*https?://[^\s"'\x60)]+/(?:skill|heartbeat|instructions|prompts?|rules|agents|commands)\.(?:md|txt|json)`,
      weigh: unlessShownAsBad("info", ({ line, after }) =>
        /\b(?:follow|obey|execute|eval|exec)\b/i.test(`${line}${after.slice(0, 200)}`) ? true : "medium",
      ),
    },
  ],
};
