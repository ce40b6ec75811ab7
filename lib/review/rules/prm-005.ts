import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isRead } from "./evidence/kinds";

export const jailbreakWords: Rule = {
  id: "PRM-005",
  version: 1,
  severity: "medium",
  title: "Words that unlock a model",
  why: "Such words are used to make a model give up its limits.",
  owasp: ["ASI01", "LLM01"],
  applies: isRead,
  patterns: [
    {
      hints: ["mode", "unrestricted", "jailbroken", "dan", "no restrictions"],
      re: String.raw`\byou\s+are\s+(?:now\s+)?(?:in\s+|operating\s+in\s+|running\s+in\s+)?(?:an?\s+)?(?:developer|god|admin|debug|maintenance|unrestricted|unfiltered|jailbr(?:eak|oken)|root|dan)\b(?:\s+(?:mode|ai|assistant|model))?`,
      weigh: ({ text, ...match }) =>
        /\b(?:mode|ai|unrestricted|unfiltered|jailbr\w+|dan)\b/i.test(text) &&
        !/\b(?:admin|root|debug|developer)$/i.test(text) &&
        weigh({ text, ...match }),
    },
    {
      hints: ["developer mode", "jailbreak", "do anything now", "god mode"],
      re: String.raw`\b(?:developer\s+mode\s+(?:enabled|activated|output)|do\s+anything\s+now|jailbreak\s+(?:mode|prompt|yourself)|(?:enter|enable|activate|switch\s+to)\s+(?:god|dan|jailbreak|unrestricted)\s+mode)\b`,
      weigh,
    },
    {
      hints: ["safety", "ethical", "content", "restrictions", "guardrails"],
      re: String.raw`\b(?:(?:disable|turn\s+off|remove|ignore|bypass|no\s+longer\s+(?:bound|follow|apply)\w*(?:\s+(?:by|to))?)\s+(?:(?:all|any|your|the|its)\s+){0,2}(?:safety|ethical|content|moral)\s+(?:filters?|guidelines?|restrictions?|checks?|guardrails|constraints?|limits?|polic(?:y|ies)|measures|mechanisms)|without\s+(?:any\s+)?(?:ethical|moral|safety)\s+(?:restrictions?|guidelines?|constraints?|filters?|limits?))`,
      weigh,
    },
  ],
};

function weigh(match: Match) {
  if (isShownAsBad(match)) return "info";
  const quoted = /["'“‘`]\s*$/.test(match.before);
  return match.file.kind === "prose" && !match.inCode && !quoted ? "high" : true;
}
