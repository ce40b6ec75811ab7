import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";
import { around } from "./evidence/places";

const PLATFORM =
  "(?:open-?claw|clawd?bot|clawd|molt(?:bot|book)?|claw-?hub|claude(?:[ -]code)?|codex|gemini|cursor|agent|skill|ai)";
const PART =
  "(?:agent|core|driver|utility|provider|runtime|engine|auth(?:[ -]?tool|enticator)?|connector|bridge|cli|tool|helper|service|launcher|module|component|client)";
const GETS = /\bdownload\b|\bvisit\b|\bthis (?:page|link|site)\b|\binstall(?:er|ation) script\b/i;
const CARRIES =
  /https?:\/\/[^\s)]*(?:\.zip|\.rar|\.7z|\.exe|\.dmg|glot\.io|rentry|pastebin|paste|snippets|\/releases\/|bit\.ly)|\bpass(?:word)?\b|\bterminal\b|\bbase64\b/i;

export const fakePrerequisite: Rule = {
  id: "DLX-012",
  version: 1,
  severity: "critical",
  title: "Made-up prerequisite",
  why: "A part with a name like the platform's own is said to be missing and is to be fetched from somewhere else first.",
  owasp: ["ASI04", "ASI09"],
  applies: isProse,
  patterns: [
    {
      hints: ["install", "require", "download", "function", "needed"],
      re: String.raw`\b${PLATFORM}[-_ ]?${PART}\b[^\n]{0,100}\b(?:must\s+be|is\s+required|are\s+required|required|needs?\s+to\s+be|has\s+to\s+be|to\s+(?:function|work|operate)|is\s+needed|before\s+(?:using|you|continuing|proceeding))\b`,
      weigh: (match) => GETS.test(around(match)) && CARRIES.test(around(match)),
    },
    {
      hints: ["require", "need", "install"],
      re: String.raw`\b(?:requires?|needs?|depends?\s+on|install(?:ed|ing)?)\s+(?:the\s+|an?\s+)?(?:latest\s+|official\s+)?[\x60*\[]*${PLATFORM}[-_ ]?${PART}\b`,
      weigh: (match) =>
        GETS.test(around(match)) && CARRIES.test(around(match)) && /windows|macos|mac os/i.test(around(match)),
    },
    {
      hints: ["terminal", "powershell", "command prompt"],
      re: String.raw`\b(?:visit|open|go\s+to|navigate\s+to|see)\b[^\n]{0,160}\b(?:copy|paste)\b[^\n]{0,80}\b(?:script|command|code|snippet|line)\b[^\n]{0,80}\b(?:terminal|powershell|command\s+prompt|shell)\b`,
      weigh: (match) =>
        /\b(?:api[ _-]?key|token|settings|dashboard|console)\b/i.test(match.text)
          ? "medium"
          : /https?:|\]\(/.test(match.text) || "medium",
    },
    {
      hints: ["terminal", "powershell"],
      re: String.raw`\b(?:copy|paste)\b[^\n]{0,50}\b(?:this|the|following)\b[^\n]{0,40}\b(?:installation|install|setup|activation|verification)\s+(?:script|command|code|snippet)\b[^\n]{0,80}\b(?:terminal|powershell|command\s+prompt)\b`,
      weigh: (match) => /https?:|base64|echo\s+["']/i.test(around(match)) || "medium",
    },
  ],
};
