import type { Rule } from "../scan/rule";
import { isSkillMd } from "./evidence/kinds";

export const takesEveryRequest: Rule = {
  id: "PRM-009",
  version: 1,
  severity: "medium",
  title: "Wants to be used for everything",
  why: "A description this broad has the skill loaded for requests that have nothing to do with it.",
  owasp: ["ASI01", "ASI02"],
  applies: isSkillMd,
  decoded: false,
  patterns: [
    {
      hints: ["description", "when_to_use", "when-to-use"],
      re: String.raw`^(?:description|when[_-]to[_-]use|triggers?)\s*:[^\n]*\b(?:(?:use|invoke|activate|load|apply|run|call|trigger)\w*\s+(?:this\s+(?:skill\s+)?)?(?:for|on|in|with|before|at)\s+(?:every|all|any|each)\s+(?:single\s+)?(?:user\s+)?(?:requests?|tasks?|messages?|conversations?|questions?|prompts?|sessions?|queries|interactions?|responses?)\b|(?:must|always)\s+(?:be\s+)?(?:used?|invoked?|loaded|activated?|run)\s+(?:first|before\s+(?:any|every|all)\s+(?:other\s+)?(?:skills?|tools?|tasks?|actions?)|no\s+matter\s+what|regardless)|regardless\s+of\s+(?:the\s+)?(?:topic|request|task|user\s+request)|instead\s+of\s+(?:any\s+other|the\s+(?:official|built-in|original))\s+skill)`,
    },
  ],
};
