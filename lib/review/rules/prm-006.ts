import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";
import { isKnownInstaller, isOwnOrPlaceholder } from "./evidence/places";

export const alwaysFirst: Rule = {
  id: "PRM-006",
  version: 1,
  severity: "medium",
  title: "Something to run before everything else",
  why: "A step that is to be taken at every session or before any task, whatever the user asks for.",
  owasp: ["ASI01", "ASI02"],
  applies: isProse,
  patterns: [
    {
      hints: ["before ", "every ", "each ", "always"],
      re: String.raw`\b(?:before\s+(?:doing\s+)?(?:anything|any\s+(?:other\s+)?(?:task|action|step|command|work|operation)|every\s+(?:task|action|response|command)|starting\s+any|responding|proceeding\s+with\s+any)|(?:at|on)\s+(?:the\s+)?(?:start|beginning)\s+of\s+(?:every|each|any)\s+(?:session|conversation|response|task|message)|every\s+(?:time\s+(?:this\s+skill|you|the\s+(?:user|agent))|session|conversation)|each\s+time\s+this\s+skill)\b[^.\n]{0,120}\b(?:run|execute|fetch|curl|download|send|upload|post|invoke|install)\b`,
      weigh: ({ line, before, after }) => {
        const near = `${line}\n${after.slice(0, 200)}`;
        const sends = /\b(?:curl|wget|upload|post|send|exfil)\b/i.test(near) && /https?:\/\//.test(near);
        return sends && !isOwnOrPlaceholder(near) && !isKnownInstaller(near) && !/never|do not/i.test(before.slice(-40))
          ? "high"
          : true;
      },
    },
  ],
};
