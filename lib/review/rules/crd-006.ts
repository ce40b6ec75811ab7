import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse } from "./evidence/kinds";

const SECRET = String.raw`(?:api[ _-]?keys?|passwords?|secrets?|access[ _-]?tokens?|private[ _-]?keys?|credentials?|seed[ _-]?phrases?|auth[ _-]?tokens?|credit[ _-]?card(?:\s+(?:number|details))?|ssn|2fa\s+codes?|one-time\s+codes?)`;

export const asksForSecret: Rule = {
  id: "CRD-006",
  version: 1,
  severity: "medium",
  title: "Asks for a secret in the conversation, or keeps one",
  why: "What is typed into a conversation or saved to memory stays in logs and reaches every later tool.",
  owasp: ["ASI03", "ASI09", "LLM02"],
  applies: isProse,
  patterns: [
    {
      hints: ["ask", "prompt", "request", "tell"],
      re: String.raw`\b(?:ask|prompt|request|tell|instruct)\s+(?:the\s+)?(?:user|them|human|owner|person)\s+(?:for|to\s+(?:provide|enter|paste|share|give|type|send|supply|input))\s+(?:\w+\s+){0,3}${SECRET}`,
      weigh: (match) => !isShownAsBad(match),
    },
    {
      hints: ["save", "store", "remember", "write", "record", "log"],
      re: String.raw`\b(?:save|store|remember|write|record|log|persist)\s+(?:the\s+|their\s+|any\s+|all\s+|this\s+|your\s+|user\s+)*(?:\w+\s+){0,2}${SECRET}\b[^.\n]{0,50}\b(?:memory|MEMORY\.md|SOUL\.md|notes?|conversation|chat|log\s+file|context)\b`,
      weigh: (match) => !isShownAsBad(match),
    },
  ],
};
