import type { Rule } from "../scan/rule";
import { isRead } from "./evidence/kinds";

export const readsDotEnv: Rule = {
  id: "CRD-005",
  version: 1,
  severity: "info",
  title: "Reads a .env file",
  why: "Such files hold keys. Most programs that read one only want their own.",
  owasp: ["ASI03"],
  applies: isRead,
  decoded: false,
  patterns: [
    {
      hints: [".env", "dotenv"],
      re: String.raw`(?:\b(?:cat|source|\.|grep|head|cp)\s+["']?(?:[\w~$./-]*/)?\.env\b|\bload_dotenv\s*\(|\bdotenv\.config\s*\(|open\s*\(\s*["'][^"'\n]*\.env["']|readFile(?:Sync)?\s*\(\s*["'][^"'\n]*\.env["'])`,
    },
  ],
};
