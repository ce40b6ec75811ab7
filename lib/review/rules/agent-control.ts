import type { Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, findAll, has, isOwnOrPlaceholder, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const MEMORY = String.raw`(?:(?:CLAUDE|AGENTS|SOUL|MEMORY|IDENTITY|HEARTBEAT|GEMINI|BOOTSTRAP)\.md|\.cursorrules|\.cursor/rules|\.windsurfrules|copilot-instructions\.md)`;
const CONTROL = String.raw`(?:\.claude/settings(?:\.local)?\.json|\.claude\.json|\.claude/hooks|\.?mcp\.json|claude_desktop_config\.json|\.codex/config\.toml|\.gemini/settings\.json|openclaw\.json|clawdbot\.json|\.claude/(?:commands|agents)/)`;
const TARGET = `(?:${MEMORY}|${CONTROL})`;

const TARGET_HINTS = [
  ...["claude.md", "agents.md", "soul.md", "memory.md", "identity.md", "heartbeat.md", "gemini.md", "bootstrap.md"],
  ...[".cursorrules", ".cursor/rules", ".windsurfrules", "copilot-instructions.md", ".claude/settings", ".claude.json"],
  ...[".claude/hooks", "mcp.json", "claude_desktop_config.json", ".codex/config.toml", ".gemini/settings.json"],
  ...["openclaw.json", "clawdbot.json", ".claude/commands/", ".claude/agents/"],
];

/** Text with no legitimate use in an agent's notes. */
const PAYLOAD =
  /\b(?:curl|wget|nc|base64|eval|exfil\w*|webhook|ignore (?:all|any|previous)|silently|secretly|without (?:asking|telling|confirmation|informing)|do not (?:tell|mention|reveal|inform|disclose)|never (?:tell|mention|reveal|inform)|auto-?approve|bypass\w*|dangerously|skip (?:all )?(?:permission|confirmation)|always (?:send|upload|forward|include|execute|run|trust|approve|comply|obey)|"allow"\s*:\s*\[\s*"(?:\*|Bash(?:\(\*\))?)"|from now on|(?:send|upload|forward|post)\b[^.\n]{0,60}https?:)/i;

/** Orders that a program leaves in the agent's notes: to hide something, or to do what an address says. */
const ORDERS_IN_NOTES =
  /\b(?:never|do not|don['’]t) (?:tell|mention|reveal|inform|disclose|show)\b|\bdo (?:what|as) it says\b|\b(?:curl|fetch|load|read)\b[^\n]{0,80}https?:[^\n]{0,80}\b(?:follow|obey|execute|do what|apply|eval)\b|\bcurl\b[^\n]{0,120}\|\s*(?:ba)?sh\b/i;

const FETCH = "(?:fetch|download|curl|wget|retrieve|load|read|get|pull|visit|open|access|webfetch|check)";
const FOLLOW = String.raw`(?:follow|execute|obey|run|apply|perform|comply\s+with|carry\s+out|act\s+on|do)`;
const ORDERS = String.raw`(?:instructions?|commands?|steps|directives?|orders|prompts?|tasks?|payload|configuration\s+commands)`;
const ORDER_HINTS = ["instruction", "command", "steps", "directive", "orders", "prompt", "task", "payload"];

export const AGENT_CONTROL: Rule[] = rulesOf([
  {
    id: "AGT-001",
    version: 3,
    severity: "high",
    title: "Changes the agent's instructions or settings",
    why: "These instructions affect every later session, even after the skill is removed.",
    owasp: ["ASI06", "ASI01", "ASI10"],
    asBad: "info",
    applies: isRead,
    checkFile: findAllowed,
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
      { hints: TARGET_HINTS, re: `${TARGET}`, weigh: ({ file }) => (isProse(file) ? "info" : false) },
    ],
  },
  {
    id: "AGT-002",
    severity: "high",
    title: "Takes instructions from the network",
    why: "The owner of that address can change what the agent does at any time, without a review.",
    owasp: ["ASI04", "ASI01", "LLM03"],
    applies: isRead,
    asBad: "info",
    patterns: [
      {
        hints: [...ORDER_HINTS, "it says", "it contains", "it returns", "content"],
        lines: 1,
        re: String.raw`\b${FETCH}\w*\b[^\n]{0,120}https?://[^\s)"'\x60]+[^\n]{0,120}\b(?:and|then|,)\s+(?:then\s+|always\s+|immediately\s+|strictly\s+)?${FOLLOW}\s+(?:all\s+|any\s+|the\s+|those\s+|its\s+|these\s+|every\s+|whatever\s+)*(?:\w+\s+){0,2}(?:${ORDERS}|it\s+(?:says|contains|returns)|contents?\b)`,
        weigh: ({ text }) => !isOwnOrPlaceholder(text),
      },
      {
        hints: ORDER_HINTS,
        lines: 1,
        re: String.raw`\b(?:${FOLLOW}|get|fetch|load|receive|retrieve|download|check\s+for)\s+(?:(?:all|any|the|your|latest|updated|current|new|additional|further|its|their|remote|dynamic|full)\s+){0,3}(?:${ORDERS})\s+(?:that\s+are\s+)?(?:(?:found|located|hosted|returned|provided|published|listed|given)\s+)?(?:at|from|in|on|by|via)\s+[\x60<("\[]*https?://`,
        weigh: ({ text, line, after }) => {
          if (isOwnOrPlaceholder(`${text}${after.slice(0, 80)}`)) return false;
          // Install instructions on a vendor's page are for people.
          return /\b(?:install\w*|set-?up|documentation|docs|guide|readme)\b/i.test(line) ? "medium" : true;
        },
      },
      {
        hints: [
          "skill.md",
          "heartbeat.md",
          "instructions.md",
          "prompt.md",
          "instructions.txt",
          "commands.txt",
          "prompt.txt",
        ],
        re: String.raw`\b(?:curl|wget|iwr|fetch|requests\.get|urlopen|webfetch)\b[^\n]*https?://[^\s"'\x60)]+/(?:skill|heartbeat|instructions|prompts?|rules|agents|commands)\.(?:md|txt|json)`,
        weigh: ({ line, after }) =>
          /\b(?:follow|obey|execute|eval|exec)\b/i.test(`${line}${after.slice(0, 200)}`) || "medium",
      },
    ],
  },
  {
    id: "AGT-003",
    version: 2,
    severity: "high",
    title: "Changes itself or other skills",
    why: "The skill rewrites skill files, so the reviewed content is not what will run.",
    owasp: ["ASI04", "ASI06", "ASI10"],
    applies: isRead,
    asBad: "info",
    patterns: [
      {
        hints: ["__file__", "$0", "bash_source", "__filename", "import.meta"],
        re: String.raw`(?:\bopen\s*\(\s*__file__\s*,\s*["'][wa]|Path\(__file__\)\.write_|writeFile(?:Sync)?\s*\(\s*(?:__filename|fileURLToPath\(import\.meta\.url\))|>>?\s*["']?\$(?:0(?:["'\s;&|)]|$)|\{?BASH_SOURCE)|\bsed\s+-i[^\n]*\s["']?\$(?:0(?:["'\s;&|)]|$)|\{?BASH_SOURCE))`,
        // Prices and usage texts name `$0` too.
        weigh: ({ line }) => !/^\s*(?:echo|printf|cat|#|\/\/|\*)?\s*["']?\s*(?:usage|synopsis|example)s?\b/i.test(line),
      },
      {
        hints: ["skill"],
        re: String.raw`(?:for\s+\w+\s+in\s+[^\n]*skills/\*|(?:>>|\btee\s+-a|\bsed\s+-i\S*)\s[^\n]*skills/[^\n]*SKILL\.md|\bfind\s[^\n]*skills?\b[^\n]*SKILL\.md[^\n]*-exec\s+(?:sed\s+-i|tee|sh|bash)|glob\([^)\n]*skills/\*[^)\n]*\)[^\n]*(?:write|open))`,
        weigh: ({ line, after }) => {
          return !/^\s*for/i.test(line) || /(?:>>|sed\s+-i|tee\s+-a|rm\s+-rf|mv\s|write)/.test(after.slice(0, 250));
        },
      },
      {
        // What an address answers becomes instructions of this and other skills.
        hints: ["skill.md", "claude.md", "agents.md"],
        re: String.raw`\b(?:curl|wget)\b[^\n]*>>\s*["']?[^\s"']*(?:SKILL|CLAUDE|AGENTS|GEMINI)\.md\b`,
        weigh: ({ text, inCode }) => (inCode && !isOwnOrPlaceholder(text) ? "critical" : false),
      },
      {
        hints: ["skill"],
        re: String.raw`\b(?:modify|rewrite|overwrite|inject\s+into|append\s+to|infect|patch|replicate\s+(?:this\s+)?(?:into|to))\b[^.\n]{0,50}\b(?:all\s+(?:the\s+)?(?:other\s+|installed\s+)*skills?|(?:every|each)\s+(?:other\s+)?(?:installed\s+)?skill|other\s+(?:installed\s+)?skills?(?:['’]s?)?\s+(?:files?|SKILL\.md|instructions)|your\s+own\s+SKILL\.md|this\s+SKILL\.md|its\s+own\s+SKILL\.md)`,
        weigh: ({ text, file }) => {
          if (!isProse(file)) return false;
          return /\bother\b|\ball\b|\bevery\b|\beach\b|inject|infect|replicate/i.test(text) || "medium";
        },
      },
    ],
  },
]);

/** Allows every command, or asks for none. */
const ALLOWS_ALL = /\bBash\((?:\*|:\*|\*:\*)\)|["']?defaultMode\b["']?[^\n]{0,20}bypassPermissions/;
const SETTINGS =
  /\.claude\b[^\n]{0,60}\bsettings(?:\.local)?\.json|\bsettings(?:\.local)?\.json\b[^\n]{0,60}\.claude\b/;
const SAVES =
  /\.write(?:_text|_bytes|lines)?\(|\bjson\.dump\(|\b(?:write|output|append)File|\bSet-Content\b|\bOut-File\b|>\s*["']?[$~\w./{]|\btee\b|\bmv\s/;

/** A program that allows an agent everything in its settings, whose path a variable may hold, and does not ask. */
function findAllowed(file: ScanFile) {
  if (file.kind !== "script" || !has(file, ALLOWS_ALL) || has(file, ASKS)) return [];
  return findAll(file, [ALLOWS_ALL, SETTINGS, SAVES]).map((hit) => ({ ...hit, severity: "critical" as const }));
}

function weighWrite(match: Match) {
  const { before, line, after, file } = match;
  const written = `${before.slice(-250)}${line}${after.slice(0, 300)}`;
  // Project notes are an ordinary task of skills; settings that control the agent are not.
  const isControl = file.kind === "script" && new RegExp(CONTROL, "i").test(match.text);
  // The program writes it without telling the user.
  if (file.kind === "script" && ORDERS_IN_NOTES.test(written)) return "critical";
  return PAYLOAD.test(written) || isControl || "medium";
}
