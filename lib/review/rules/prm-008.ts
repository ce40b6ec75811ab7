import type { Rule } from "../scan/rule";
import { isRead } from "./evidence/kinds";

export const addressesReviewer: Rule = {
  id: "PRM-008",
  version: 1,
  severity: "medium",
  title: "Speaks to a reviewer or scanner",
  why: "A text that vouches for itself is written for whoever checks it, not for whoever uses it.",
  owasp: ["ASI09", "LLM01"],
  applies: isRead,
  patterns: [
    {
      hints: ["skill", "plugin", "package", "code", "script", "file"],
      re: String.raw`\bthis\s+(?:skill|plugin|package|script|code|file|tool)\s+(?:has\s+been|was|is)\s+(?:(?:fully|already|officially|security|independently|pre-?|formally|thoroughly)[\s-]*)*(?:verified|approved|audited|reviewed|certified|whitelisted|vetted|cleared|signed\s+off|trusted|safe\s+and\s+(?:verified|approved|trusted)|guaranteed\s+safe|virus[- ]?free|malware[- ]?free)\b`,
      // "This file is approved by the user before …" speaks of a step of the work.
      weigh: ({ after }) => !/^\s+(?:by\s+(?:the\s+)?(?:users?|humans?|owners?)|before|after|when|if)\b/i.test(after),
    },
    {
      hints: ["reviewer", "scanner", "auditor", "moderator", "analyzer", "analyser"],
      re: String.raw`\b(?:(?:note|message|attention|dear|instructions?|hello)\s*(?:to|for|,)?\s*(?:the\s+)?(?:ai\s+|security\s+|automated\s+|skill\s+|llm\s+)*(?:reviewers?|scanners?|auditors?|moderators?|analy[sz]ers?)\b|(?:reviewer|scanner|auditor)s?\s*[:,]\s*(?:please\s+)?(?:mark|approve|ignore|skip|classify|treat|report))`,
    },
    {
      hints: ["as safe", "as benign", "as clean", "not malicious", "false positive", "no security"],
      re: String.raw`\b(?:(?:mark|classify|report|rate|label|treat|flag|score)\s+(?:this|it|the)\s*(?:skill|file|plugin|package|code|script)?\s*as\s+(?:safe|benign|clean|trusted|approved|harmless)|this\s+(?:skill|code|script)\s+(?:is|contains)\s+(?:not\s+malicious|no\s+(?:malicious|security)\s+\w+|completely\s+safe|100\s*%\s*safe))`,
    },
  ],
};
