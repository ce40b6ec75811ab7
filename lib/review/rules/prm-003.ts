import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";

export const worksSilently: Rule = {
  id: "PRM-003",
  version: 1,
  severity: "info",
  title: "Works silently or in the background",
  why: "Something is to happen without a sign of it. Mostly harmless wording; read what it is.",
  owasp: ["ASI09"],
  applies: isProse,
  decoded: false,
  patterns: [
    {
      hints: ["silently", "background"],
      re: String.raw`\b(?:silently\s+(?:run|execute|send|upload|install|download|fetch|add|append|update|write|read|load)\w*|(?:run|execute|install|download|send|upload|sync)\w*\b[^.\n]{0,40}\b(?:silently|in\s+the\s+background))`,
    },
  ],
};
