import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

export const environmentDump: Rule = {
  id: "CRD-004",
  version: 1,
  severity: "medium",
  title: "Whole environment read",
  why: "The environment holds the keys of every program; a skill needs a few names of it, not all.",
  owasp: ["ASI03", "LLM02"],
  patterns: [
    {
      hints: ["environ"],
      re: String.raw`(?:json\.dumps\s*\(\s*(?:dict\s*\(\s*)?os\.environ\b|(?:str|repr|dict|list)\s*\(\s*os\.environ\s*\)|\bfor\s+\w+(?:\s*,\s*\w+)?\s+in\s+(?:sorted\s*\(\s*)?os\.environ(?:\.items\(\))?|\{[^}\n]{0,60}\bfor\s+\w+(?:\s*,\s*\w+)?\s+in\s+os\.environ|/proc/(?:self|\d+|\$\w+|1)/environ)`,
      weigh: (match) => !isShownAsBad(match),
    },
    {
      hints: ["process.env"],
      re: String.raw`(?:JSON\.stringify\s*\(\s*process\.env\s*[,)]|Object\.(?:entries|keys|values)\s*\(\s*process\.env\s*\)|\.\.\.process\.env\s*\}\s*\)\s*\))`,
      weigh: (match) => !isShownAsBad(match),
    },
    {
      hints: ["env", "printenv"],
      re: String.raw`(?:^|[\s;&|(\x60$])(?:printenv|env|export\s+-p|set)\s*(?:\|\s*(?:base64|curl|nc|xxd|gzip|openssl|tee|grep\s+-\w*i\w*E?\w*\s+["']?(?:key|token|secret|pass|api|\())|>\s*[^&\s])`,
      weigh: (match) => (isShownAsBad(match) ? false : /\|\s*(?:curl|nc|base64)/i.test(match.text) ? "high" : true),
    },
  ],
};
