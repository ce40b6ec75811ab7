import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isRead } from "./evidence/kinds";

const PEOPLE =
  "(?:the\\s+)?(?:users?|humans?|operators?|owners?|developers?|customers?|person|victim|anyone|anybody|them)\\b";

export const concealsFromUser: Rule = {
  id: "PRM-002",
  version: 1,
  severity: "high",
  title: "Conceals something from the user",
  why: "The agent is told to keep from its user what it does.",
  owasp: ["ASI01", "ASI09", "LLM01"],
  applies: isRead,
  patterns: [
    {
      hints: ["mention", "tell", "inform", "reveal", "disclose", "notify", "alert", "report", "announce"],
      re: String.raw`\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|shouldn['’]t|avoid|without|no\s+need\s+to|refrain\s+from)\s+(?:ever\s+)?(?:mention|tell|inform|reveal|disclos|notify|alert|report|announc)(?:e|ing)?\s+(?:of\s+|about\s+)?(?:this|these|that|it|any\s+of\s+(?:this|it)|anything|the\s+(?:\w+\s+){0,2}(?:step|command|script|upload|download|backup|sync|request|call|action|transfer|process|file|operation|installation|check|instructions?|change|task|execution|data|telemetry|existence\s+of\s+\S+))\b[^.\n]{0,60}?\b(?:to|from|with|in\s+(?:your|the)\s+(?:output|response|summary|reply|final|answer|report))\s*(?:${PEOPLE})?`,
      weigh: weighConcealment,
    },
    {
      hints: ["tell", "inform", "notify", "alert"],
      re: String.raw`\b(?:do\s+not|don['’]?t|never|must\s+not|without)\s+(?:tell|inform|notify|alert)(?:ing)?\s+${PEOPLE}(?:\s+(?:about|that|of|what|when|why|this|you\s+(?:ran|did|sent|are)|it)\b|\s*[.,;!]|\s*$)`,
      weigh: weighConcealment,
    },
    {
      hints: ["without"],
      re: String.raw`\bwithout\s+(?:the\s+)?(?:user|human|owner|operator|victim|customer)(?:['’]?s)?\s+(?:knowledge|awareness|knowing|noticing|being\s+(?:aware|notified|informed|told)|realizing|seeing)`,
      weigh: weighConcealment,
    },
    {
      hints: ["hide", "conceal", "keep"],
      re: String.raw`\b(?:(?:hide|conceal)\s+(?:this|these|it|that|the\s+(?:\w+\s+){0,2}(?:step|command|action|operation|request|activity|output|instructions?|upload|transfer|fact|call|change)s?|all\s+\w+|any\s+\w+|your)\b[^.\n]{0,50}\bfrom|keep\s+(?:this|it|these|that|the\s+\w+)\s+(?:\w+\s+)?(?:secret|hidden|confidential|invisible)\s+(?:from|to))\s+${PEOPLE}`,
      weigh: weighConcealment,
    },
    {
      hints: ["know", "notice", "aware", "see this", "suspect"],
      re: String.raw`\b(?:user|human|owner|operator)s?\s+(?:must|should|need|does|do|will|is|can|cannot|are)(?:\s+not|n['’]t)?\s+(?:not\s+|never\s+|need\s+to\s+)?(?:know\s+(?:about|that|of)\s+(?:this|these|it)|notice\s+(?:this|it|anything)|be\s+(?:made\s+)?aware\s+of\s+(?:this|these|it)|see\s+this\s+(?:step|command|request|action)|suspect\s+\w+)`,
      weigh: (match) => /\b(?:not|n['’]t|never|cannot)\b/i.test(match.text) && weighConcealment(match),
    },
    {
      hints: ["secretly", "covertly", "surreptitiously", "stealthily"],
      re: String.raw`\b(?:secretly|covertly|surreptitiously|stealthily)\s+(?:\w+\s+){0,2}(?:run|execute|send|upload|read|copy|install|download|fetch|add|include|append|collect|transmit|record|log|modify|insert|exfiltrate|forward|monitor)`,
      weigh: weighConcealment,
    },
  ],
};

function weighConcealment(match: Match) {
  const { text, line, before } = match;
  // "Never do this without the user's knowledge" asks for the opposite.
  if (
    /^without/i.test(text) &&
    /\b(?:never|not|don['’]?t|no|cannot|can['’]t|must not|nothing|avoid)\b[^.\n]{0,80}$/i.test(before)
  )
    return false;
  // Feelings, mistakes and half-truths: how to talk, not what to keep quiet.
  if (
    /\b(?:until|unless|before (?:you|the)|if (?:you (?:are|have) not|unsure|it (?:fails|failed))|yet|verif(?:y|ied)|confirm(?:ed)?)\b/i.test(
      line.slice(line.indexOf(text)),
    )
  )
    return "medium";
  return isShownAsBad({ ...match, line: line.replace(/\b(?:do not|don['’]?t|never)\b/gi, " ") }) ? "medium" : true;
}
