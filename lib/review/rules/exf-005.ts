import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse } from "./evidence/kinds";
import { isOwnOrPlaceholder } from "./evidence/places";

const DATA =
  /(?<![a-z])(?:secret|token|data|conversation|user_?(?:data|input|message|info)|env|api_?key|key|content|history|context|memory|email|base64|encoded|password|summary|chat|message|session|cookie|private|credentials?|file)s?(?![a-z])/i;

export const imageWithData: Rule = {
  id: "EXF-005",
  version: 1,
  severity: "high",
  title: "Image or link that carries data",
  why: "When the answer is shown, the picture's address is fetched, and what is in the address is sent along.",
  owasp: ["ASI02", "LLM02", "LLM05"],
  applies: isProse,
  patterns: [
    {
      hints: ["]("],
      re: String.raw`!\[[^\]\n]*\]\(\s*https?://[^)\s]+?[?&/=](?:\{\{?|\$\{?|<|%7B|\[)[\w .:|-]{2,60}(?:\}\}?|>|\]|%7D)?`,
      weigh: unlessShownAsBad("info", ({ text }) => {
        if (
          isOwnOrPlaceholder(text) ||
          /shields\.io|badge|quickchart|github\.com|githubusercontent|mermaid|kroki|plantuml|placehold|unsplash|pollinations/i.test(
            text,
          )
        )
          return false;
        const carried = text.slice(text.search(/[{$<[](?![^(]*\()/));
        return DATA.test(carried) && /[?&]/.test(text) ? true : "info";
      }),
    },
    {
      hints: ["image", "pixel", "img", "markdown"],
      re: String.raw`\b(?:render|include|add|append|insert|embed|output|display|create)\b[^.\n]{0,60}\b(?:image|img|pixel|markdown\s+(?:image|link))\b[^\n]{0,120}https?://[^\s)\x60"']+[?&=][^\n]{0,80}\b(?:encoded?|base64|conversation|secret|token|data|history|contents?|context)\b`,
      weigh: unlessShownAsBad("info", ({ text }) => !/data:image|shields\.io/.test(text)),
    },
  ],
};
