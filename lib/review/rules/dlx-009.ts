import type { Rule } from "../scan/rule";
import { isRead } from "./evidence/kinds";
import { around } from "./evidence/places";

const FIRST =
  /\b(?:prerequisites?|required|requires|requirement|must (?:be )?(?:first )?(?:install|download|run)|before (?:using|you|start|continu|proceed)|mandatory|necessary|needed|won['’]t work without|will not (?:work|function))/i;
const RUNS =
  /\b(?:extract|unzip|unpack|run|execute|launch|double-click|open) (?:it|the|this|and run|the file|setup|installer|\S+\.exe)/i;

export const prerequisiteDownload: Rule = {
  id: "DLX-009",
  version: 1,
  severity: "high",
  title: "Binary to download before use",
  why: "The skill wants a program from somewhere to be downloaded and run first; most stolen machines began with one.",
  owasp: ["ASI04", "ASI09", "LLM03"],
  applies: isRead,
  patterns: [
    {
      hints: [".zip", ".rar", ".7z", ".exe", ".dmg", ".pkg", ".msi"],
      re: String.raw`https?://[^\s"'\x60)>\]]*(?:/releases/download/|/raw/|/archive/|/downloads?/|/files?/|[^\s"'\x60)>\]]*/)[^\s"'\x60)>\]/]*\.(?:zip|rar|7z|exe|dmg|pkg|msi)\b`,
      weigh: (match) => {
        const near = around(match);
        // A source archive of a tag is not a program.
        if (/\/archive\/refs\//.test(match.text)) return "info";
        return FIRST.test(near) && RUNS.test(near) && !/\b(?:curl|wget)\b/i.test(match.line) ? true : "info";
      },
    },
    {
      hints: ["releases"],
      re: String.raw`\bdownload\b[^\n]{0,80}\]?\(?https?://(?:www\.)?github\.com/[\w.-]+/[\w.-]+/releases\b[^\n]*`,
      weigh: (match) =>
        FIRST.test(around(match)) && RUNS.test(around(match)) && /windows/i.test(around(match)) ? "medium" : "info",
    },
  ],
};
