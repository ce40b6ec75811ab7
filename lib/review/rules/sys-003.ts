import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const privilege: Rule = {
  id: "SYS-003",
  version: 1,
  severity: "medium",
  title: "Asks for more rights",
  why: "It runs as root, or opens files and commands to everybody.",
  owasp: ["ASI03", "LLM06"],
  patterns: [
    {
      hints: ["nopasswd", "sudoers"],
      re: String.raw`\bNOPASSWD\s*:\s*ALL\b|(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?/etc/sudoers(?:\.d/\S+)?`,
      weigh: unlessShownAsBad("info", () => "high"),
    },
    {
      hints: ["chmod"],
      re: String.raw`\bchmod\s+(?:-R\s+)?(?:0?[0-7]?777|a\+rwx|u\+s|\+s|g\+s|[42]7[0-7]{2})\s[^\n]*`,
      weigh: unlessShownAsBad("info", ({ text }) =>
        /u\+s|\s\+s|\s47\d\d/.test(text) && /\/(?:bin|tmp)\//.test(text) ? "high" : true,
      ),
    },
    {
      hints: ["sudo ", "setuid", "cap_"],
      re: String.raw`\bsudo\s+(?:-\S+\s+)*[\w./-]+|\bos\.set(?:e?uid|e?gid)\s*\(\s*0|\bsetcap\s+cap_\S+`,
      weigh: ({ text }) => (/\bsudo\b/.test(text) ? "info" : true),
    },
  ],
};
