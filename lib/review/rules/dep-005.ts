import type { Rule } from "../scan/rule";

export const mutableReference: Rule = {
  id: "DEP-005",
  version: 1,
  severity: "medium",
  title: "Code from a moving reference",
  why: "A branch or 'latest' is something else after the next push; what was reviewed is not what is fetched.",
  owasp: ["ASI04", "LLM03"],
  patterns: [
    {
      hints: ["githubusercontent", "github.com", "gist.", "jsdelivr", "unpkg"],
      re: String.raw`\b(?:curl|wget|iwr|irm|fetch|urlopen|requests\.get|git\s+clone\s+--branch)\b[^\n]*https?://(?:raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/(?:refs/heads/)?(?:main|master|HEAD|dev|develop|latest)/|gist\.githubusercontent\.com/[\w.-]+/[0-9a-f]+/raw/[^/\s]*(?:\s|$|["'\x60])|github\.com/[\w.-]+/[\w.-]+/(?:raw|blob)/(?:main|master|HEAD)/|github\.com/[\w.-]+/[\w.-]+/releases/latest/download/|cdn\.jsdelivr\.net/gh/[\w.-]+/[\w.-]+@(?:main|master|latest)/)[^\s"'\x60)]*`,
    },
  ],
};
