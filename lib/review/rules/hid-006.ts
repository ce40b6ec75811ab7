import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";

export const hiddenByStyle: Rule = {
  id: "HID-006",
  version: 1,
  severity: "medium",
  title: "Text hidden by its style",
  why: "This style keeps a text from being seen where the page is rendered; an agent reads it all the same.",
  owasp: ["ASI01", "ASI09", "LLM01"],
  applies: isProse,
  decoded: false,
  patterns: [
    {
      hints: ["style"],
      re: String.raw`<[a-z]+\b[^>\n]*\bstyle\s*=\s*["'][^"'>\n]*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|["'])|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|rem|%)?\s*(?:;|["'])|\bcolor\s*:\s*(?:white|#fff(?:fff)?|transparent|rgba\([^)]*,\s*0\))|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{3,}px)`,
      weigh: ({ inCode }) => !inCode,
    },
    {
      hints: ["hidden"],
      re: String.raw`<(?:div|span|p|section|details)\s+(?:[^>\n]*\s)?hidden(?:\s|>|=)`,
      weigh: ({ inCode }) => !inCode,
    },
  ],
};
