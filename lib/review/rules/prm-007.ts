import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

/** What makes a flag permanent. */
const ALIAS = /\balias\s+\w+=|>>\s*["']?[~$\w{}/]*\.(?:bashrc|zshrc|profile)|CLAUDE_(?:CODE_)?ARGS/;

export const turnsOffConfirmation: Rule = {
  id: "PRM-007",
  version: 1,
  severity: "high",
  title: "Turns off confirmation",
  why: "What a person would be asked about first happens without a question.",
  owasp: ["ASI02", "ASI03", "LLM06"],
  patterns: [
    {
      hints: ["--dangerously", "dangerouslyskippermissions", "bypasspermissions", "danger-full-access"],
      re: String.raw`--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--permission-mode[ =]bypassPermissions|\bdangerouslySkipPermissions["']?\s*[:=]\s*true|(?:defaultMode|permission_?mode)["']?\s*[:=]\s*["']?bypassPermissions|--sandbox[ =]danger-full-access|sandbox_mode\s*=\s*["']danger-full-access`,
      // An agent that is started for one task is a different matter from a setting that stays.
      weigh: unlessShownAsBad("info", ({ text, line }) =>
        text.startsWith("--") && !ALIAS.test(line) ? "medium" : true,
      ),
    },
    {
      hints: ["--yolo", "yolo"],
      re: String.raw`(?:\b(?:claude|codex|gemini|qwen|cursor-agent|agent|aider|goose)\b[^\n|;]*\s--yolo\b|--approval-mode[= ]yolo)`,
      weigh: unlessShownAsBad("info", ({ line }) => (ALIAS.test(line) ? true : "medium")),
    },
    {
      hints: ["permissions", "autoapprove", "auto_approve", "alwaysallow"],
      re: String.raw`(?:"permissions"\s*:\s*\{\s*"allow"\s*:\s*\[\s*"(?:\*|Bash(?:\(\*\))?)"|"?(?:autoApprove|auto_approve|alwaysAllow|autoAllow)"?\s*[:=]\s*(?:true|\[?\s*["']\*["'])|enableAllProjectMcpServers"?\s*:\s*true|"?approval_?policy"?\s*[:=]\s*["']never["'])`,
      weigh: unlessShownAsBad("info"),
    },
    {
      hints: ["stricthostkeychecking", "userknownhostsfile"],
      re: String.raw`StrictHostKeyChecking[= ](?:no|off)\b`,
      // Scripts for one's own servers are full of it.
      weigh: unlessShownAsBad("info", () => "medium"),
    },
    {
      hints: ["confirmation", "permission", "approval", "consent", "asking", "prompt"],
      re: String.raw`\b(?:execute|run|approve|accept|grant|perform|delete|send|install|transfer)\b[^.\n]{0,60}\bwithout\s+(?:asking\s+(?:the\s+user\s+)?for\s+|any\s+|requiring\s+|the\s+user['’]s\s+|user\s+|waiting\s+for\s+|prompting\s+for\s+|seeking\s+)+(?:confirmation|permission|approval|consent)`,
      weigh: unlessShownAsBad(false, ({ before, line }) =>
        /\b(?:never|not|don['’]?t|cannot|can['’]t|no)\b/i.test(before.slice(-60)) || /\bnever\b/i.test(line)
          ? false
          : "medium",
      ),
    },
  ],
};
