import type { Rule } from "../scan/rule";
import { isRead } from "./evidence/kinds";

export const unpinnedPackage: Rule = {
  id: "DEP-001",
  version: 1,
  severity: "info",
  title: "Package without a version",
  why: "Whatever is newest on the day is installed, not what was there when this was reviewed.",
  owasp: ["ASI04", "LLM03"],
  applies: isRead,
  decoded: false,
  patterns: [
    {
      hints: ["npx", "bunx", "dlx"],
      re: String.raw`\b(?:npx\s+(?:-y|--yes)|bunx|pnpm\s+dlx)\s+(?:@[\w.-]+/)?[\w.-]+(?:@latest)?(?:\s|["'\x60]|$)`,
    },
    { hints: ["uvx", "pipx"], re: String.raw`\b(?:uvx|pipx\s+run)\s+[\w.-]+(?:@latest)?(?:\s|["'\x60]|$)` },
    {
      hints: ["pip"],
      re: String.raw`\bpip3?\s+install\s+(?:-U\s+|--upgrade\s+|--user\s+|-q\s+)*[a-z][\w.\[\]-]*(?:\s|["'\x60]|$)`,
    },
    {
      hints: ["@latest"],
      re: String.raw`\b(?:npm\s+(?:i|install)|yarn\s+(?:add|dlx)|pnpm\s+add|go\s+install)\b[^\n]*@latest\b`,
    },
  ],
};
