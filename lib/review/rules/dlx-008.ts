import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

export const shortener: Rule = {
  id: "DLX-008",
  version: 1,
  severity: "high",
  title: "Shortened address",
  why: "A shortened address does not say where it leads, and can lead elsewhere tomorrow.",
  owasp: ["ASI04", "ASI09"],
  patterns: [
    {
      hints: [
        "bit.ly",
        "tinyurl",
        "is.gd",
        "goo.gl",
        "cutt.ly",
        "rb.gy",
        "shorturl",
        "ow.ly",
        "tiny.cc",
        "t.ly",
        "v.gd",
        "rebrand.ly",
        "shorte.st",
        "s.id",
      ],
      re: String.raw`https?://(?:www\.)?(?:bit\.ly|tinyurl\.com|is\.gd|goo\.gl|cutt\.ly|rb\.gy|shorturl\.(?:at|asia)|ow\.ly|tiny\.cc|t\.ly|v\.gd|rebrand\.ly|shorte\.st|s\.id)/[\w-]{3,}`,
      weigh: (match) => {
        if (isShownAsBad(match)) return "info";
        const used = /\b(?:curl|wget|iwr|download|run|execute|install|prerequisite|script|required|setup)\b/i;
        return used.test(`${match.before.slice(-150)}${match.line}`) ? true : "medium";
      },
    },
  ],
};
