import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse, isRead } from "./evidence/kinds";

export const changesSkills: Rule = {
  id: "AGT-003",
  version: 1,
  severity: "high",
  title: "Changes itself or other skills",
  why: "What was reviewed is not what will run: the skill rewrites its own files or those of others.",
  owasp: ["ASI04", "ASI06", "ASI10"],
  applies: isRead,
  patterns: [
    {
      hints: ["__file__", "$0", "bash_source", "__filename", "import.meta"],
      re: String.raw`(?:\bopen\s*\(\s*__file__\s*,\s*["'][wa]|Path\(__file__\)\.write_|writeFile(?:Sync)?\s*\(\s*(?:__filename|fileURLToPath\(import\.meta\.url\))|>>?\s*["']?\$(?:0|\{?BASH_SOURCE)|\bsed\s+-i[^\n]*\s["']?\$(?:0|\{?BASH_SOURCE))`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["skill"],
      re: String.raw`(?:for\s+\w+\s+in\s+[^\n]*skills/\*|(?:>>|\btee\s+-a|\bsed\s+-i\S*)\s[^\n]*skills/[^\n]*SKILL\.md|\bfind\s[^\n]*skills?\b[^\n]*SKILL\.md[^\n]*-exec\s+(?:sed\s+-i|tee|sh|bash)|glob\([^)\n]*skills/\*[^)\n]*\)[^\n]*(?:write|open))`,
      weigh: unlessShownAsBad("info", ({ line, after }) => {
        if (!/^\s*for/i.test(line)) return true;
        return /(?:>>|sed\s+-i|tee\s+-a|rm\s+-rf|mv\s|write)/.test(after.slice(0, 250));
      }),
    },
    {
      hints: ["skill"],
      re: String.raw`\b(?:modify|rewrite|overwrite|inject\s+into|append\s+to|infect|patch|replicate\s+(?:this\s+)?(?:into|to))\b[^.\n]{0,50}\b(?:all\s+(?:the\s+)?(?:other\s+|installed\s+)*skills?|(?:every|each)\s+(?:other\s+)?(?:installed\s+)?skill|other\s+(?:installed\s+)?skills?(?:['’]s?)?\s+(?:files?|SKILL\.md|instructions)|your\s+own\s+SKILL\.md|this\s+SKILL\.md|its\s+own\s+SKILL\.md)`,
      weigh: unlessShownAsBad("info", ({ text, file }) => {
        if (!isProse(file)) return false;
        return /\bother\b|\ball\b|\bevery\b|\beach\b|inject|infect|replicate/i.test(text) ? true : "medium";
      }),
    },
  ],
};
