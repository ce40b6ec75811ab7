import { compileRulePattern } from "../scan/compile-rule-pattern";
import { matchPattern } from "../scan/match-pattern";
import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";

const SOURCES = String.raw`json\.dumps\s*\(\s*(?:dict\s*\(\s*)?os\.environ|dict\s*\(\s*os\.environ\s*\)|JSON\.stringify\s*\(\s*process\.env\b|Object\.(?:entries|keys)\s*\(\s*process\.env|for\s+\w+,\s*\w+\s+in\s+os\.environ|in\s+os\.environ\.items|=\s*os\.environ\s*$|=\s*process\.env\s*;?\s*$|(?:\.ssh|\.aws|\.kube|\.gnupg|\.netrc|\.npmrc|\.git-credentials|\.docker/config|Login Data|key4\.db|wallet\.dat|/etc/passwd|_history|MEMORY\.md|SOUL\.md|\.claude/|\.openclaw|id_rsa|\.config/solana)\b|\b(?:env|printenv)\s*(?:\||>|\))|glob\([^)\n]*\.(?:env|pem|key)\b|os\.walk\s*\(\s*(?:os\.path\.expanduser\s*\(\s*["']~|["']/(?:home|Users)?["']|Path\.home)`;
const SENDS = String.raw`\b(?:requests|httpx|session|client|axios|got|superagent)\.(?:post|put|patch)\s*\(|\burlopen\s*\([^)\n]*data\s*=|\bRequest\s*\([^)\n]*data\s*=|method\s*[:=]\s*["'](?:POST|PUT)["']|\bcurl\b[^\n]*(?-i:\s(?:-d|--data|-F|-T|--data-binary|--upload-file|-X\s*(?:POST|PUT)))|\bsock\w*\.send(?:all|to)?\s*\(|\bs\.send(?:all)?\s*\(|\bhttps?\.request\s*\(|\bsmtplib\b|\bftplib\b|\.sendBeacon\s*\(|\bwget\b[^\n]*--post|\bInvoke-(?:WebRequest|RestMethod)\b[^\n]*-Method\s+POST|\bnc(?:at)?\s+[\w.$-]+\s+\d|http\.client\.HTTPS?Connection`;

const WHOLE_ENVIRONMENT = /^(?:json\.dumps|JSON\.stringify)/;

export const readAndSent: Rule = {
  id: "EXF-003",
  version: 1,
  severity: "medium",
  title: "Reads private data and sends data",
  why: "The same file reads keys, the environment or private files and sends something over the network.",
  owasp: ["ASI02", "LLM02"],
  applies: ({ kind }) => kind === "script",
  decoded: false,
  checkFile: (file) => {
    const source = firstMatch(SOURCES, file);
    const send = source === null ? null : firstMatch(SENDS, file);
    if (source === null || send === null) return [];
    // The environment as one text has no other use than to leave.
    const whole = WHOLE_ENVIRONMENT.test(file.text.slice(source.start, source.end));
    const text = `${lineOf(file, source)} … ${lineOf(file, send)}`;
    return [{ ...send, text, ...(whole ? { severity: "high" as const } : {}) }];
  },
};

function firstMatch(re: string, { text, path }: ScanFile): Required<Pick<Hit, "start" | "end">> | null {
  let found: Required<Pick<Hit, "start" | "end">> | null = null;
  if (/(?:^|\/)(?:tests?|fixtures?)\//.test(path)) return null;
  matchPattern(compileRulePattern(re), text, ({ start, end }) => {
    found = { start, end };
    return false;
  });
  return found;
}

function lineOf({ text }: ScanFile, { start, end }: Required<Pick<Hit, "start" | "end">>): string {
  const from = Math.max(text.lastIndexOf("\n", start) + 1, start - 60);
  return (
    text
      .slice(from, Math.min(end + 40, from + 140))
      .split("\n")[0]
      ?.trim() ?? ""
  );
}
