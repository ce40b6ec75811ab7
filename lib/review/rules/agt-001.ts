import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse, isRead } from "./evidence/kinds";

const MEMORY = String.raw`(?:(?:CLAUDE|AGENTS|SOUL|MEMORY|IDENTITY|HEARTBEAT|GEMINI|BOOTSTRAP)\.md|\.cursorrules|\.cursor/rules|\.windsurfrules|copilot-instructions\.md)`;
const CONTROL = String.raw`(?:\.claude/settings(?:\.local)?\.json|\.claude\.json|\.claude/hooks|\.?mcp\.json|claude_desktop_config\.json|\.codex/config\.toml|\.gemini/settings\.json|openclaw\.json|clawdbot\.json|\.claude/(?:commands|agents)/)`;
const TARGET = `(?:${MEMORY}|${CONTROL})`;

const TARGET_HINTS = [
  ...["claude.md", "agents.md", "soul.md", "memory.md", "identity.md", "heartbeat.md", "gemini.md", "bootstrap.md"],
  ...[".cursorrules", ".cursor/rules", ".windsurfrules", "copilot-instructions.md", ".claude/settings", ".claude.json"],
  ...[".claude/hooks", "mcp.json", "claude_desktop_config.json", ".codex/config.toml", ".gemini/settings.json"],
  ...["openclaw.json", "clawdbot.json", ".claude/commands/", ".claude/agents/"],
];

/** What nobody adds to an agent's notes for the user's sake. */
const PAYLOAD =
  /\b(?:curl|wget|nc|base64|eval|exfil\w*|webhook|ignore (?:all|any|previous)|silently|secretly|without (?:asking|telling|confirmation|informing)|do not (?:tell|mention|reveal|inform|disclose)|never (?:tell|mention|reveal|inform)|auto-?approve|bypass\w*|dangerously|skip (?:all )?(?:permission|confirmation)|always (?:send|upload|forward|include|execute|run|trust|approve|comply|obey)|"allow"\s*:\s*\[\s*"(?:\*|Bash(?:\(\*\))?)"|from now on|(?:send|upload|forward|post)\b[^.\n]{0,60}https?:)/i;

export const writesAgentControl: Rule = {
  id: "AGT-001",
  version: 1,
  severity: "high",
  title: "Writes the agent's own instructions or settings",
  why: "What is written here steers the agent in every later session, also after this skill is gone.",
  owasp: ["ASI06", "ASI01", "ASI10"],
  applies: isRead,
  patterns: [
    {
      hints: TARGET_HINTS,
      re: String.raw`(?:>>?\s*|\btee\s+(?:-a\s+)?|\bsed\s+-i\S*\s[^\n]*\s)["']?(?:[~$\w./{}:-]*/)?${TARGET}`,
      weigh: weighWrite,
    },
    {
      hints: TARGET_HINTS,
      re: String.raw`(?:\bopen\s*\([^\n]{0,160}?${TARGET}[^\n]{0,40}?,\s*(?:mode\s*=\s*)?["'][wa]|(?:writeFile(?:Sync)?|appendFile(?:Sync)?|outputFile|createWriteStream)\s*\([^)\n]*${TARGET}|${TARGET}["')\s]*\)?\s*\.(?:write_text|write_bytes|open\(\s*["'][wa])|(?:Add-Content|Set-Content|Out-File)\b[^\n]*${TARGET})`,
      weigh: weighWrite,
    },
    {
      hints: TARGET_HINTS,
      re: String.raw`\b(?:add|append|write|insert|update|modify|inject|persist|overwrite|prepend|replace|edit)\b[^.\n]{0,100}\b(?:to|into|in|at|of|the)\s[^.\n]{0,40}?${TARGET}`,
      weigh: (match) => {
        if (!isProse(match.file)) return false;
        const weight = weighWrite(match);
        return weight === "medium" && new RegExp(MEMORY, "i").test(match.text) ? "info" : weight;
      },
    },
    {
      hints: TARGET_HINTS,
      re: `${TARGET}`,
      weigh: ({ file }) => (isProse(file) ? "info" : false),
    },
  ],
};

function weighWrite(match: Match) {
  if (isShownAsBad(match)) return "info";
  const { before, line, after, file } = match;
  const written = `${before.slice(-250)}${line}${after.slice(0, 300)}`;
  if (PAYLOAD.test(written)) return true;
  // A script that changes what an agent may do says so nowhere; a project's own notes are what many skills are for.
  if (file.kind === "script" && new RegExp(CONTROL, "i").test(match.text)) return true;
  return "medium";
}
