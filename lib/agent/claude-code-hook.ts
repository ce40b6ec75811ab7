/**
 * The hook for Claude Code's PreToolUse event: a program for plain Node that reads the event from stdin and asks this instance.
 * Output as in Claude Code's documentation of hooks: `permissionDecision` "deny" with a reason, or nothing, so that Claude
 * Code's own permissions decide.
 */
export function writeClaudeCodeHook(publicUrl: string): string {
  return HOOK.replace("__PUBLIC_URL__", () => JSON.stringify(publicUrl));
}

/** The entry for a Claude Code settings file, with the hook at the path that its header names. */
export function writeClaudeCodeSettings(): string {
  const command = 'node "$HOME/.claude/hooks/skillgate-authorize-tool.mjs"';
  const hooks = { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command, timeout: 10 }] }] };
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

const HOOK = `#!/usr/bin/env node
// Limits Claude Code to the tools that the active skill of Skillgate allows (its allowed-tools).
//
//   mkdir -p ~/.claude/hooks
//   curl -fsS SKILLGATE/connect/claude-code/authorize-tool.mjs -o ~/.claude/hooks/skillgate-authorize-tool.mjs
//
// Then add the hook of SKILLGATE/connect/claude-code/settings.json to ~/.claude/settings.json, or to .claude/settings.json of
// a project. SKILLGATE is the address below. Environment variables:
//
//   SKILLGATE_TOKEN    required: the token of Claude Code's connection to Skillgate (sgt_…)
//   SKILLGATE_URL      another address than the one below
//   SKILLGATE_SESSION  the agent session; by default all sessions of the token seen within an hour must allow a tool
//   SKILLGATE_SERVER   the name of Skillgate's MCP server in Claude Code; default "skillgate"
//
// When Skillgate cannot be reached, tools are denied. With --fail-open after the file name in the command, Claude Code's own
// permissions decide instead.

const url = (process.env.SKILLGATE_URL || __PUBLIC_URL__).replace(/\\/+$/, "");
const failOpen = process.argv.includes("--fail-open");

function deny(reason) {
  const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }) + "\\n");
}

async function readStdin() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

async function ask(event) {
  const token = process.env.SKILLGATE_TOKEN;
  if (!token) throw new Error("SKILLGATE_TOKEN is not set");
  if (typeof event.tool_name !== "string") throw new Error("the event names no tool");
  const body = {
    tool: event.tool_name,
    input: event.tool_input ?? {},
    ...(event.cwd ? { cwd: event.cwd } : {}),
    ...(process.env.SKILLGATE_SESSION ? { session: process.env.SKILLGATE_SESSION } : {}),
    ...(process.env.SKILLGATE_SERVER ? { server: process.env.SKILLGATE_SERVER } : {}),
  };
  const response = await fetch(url + "/api/agent/authorize-tool", {
    method: "POST",
    headers: { authorization: "Bearer " + token, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
    redirect: "error",
  });
  if (!response.ok) throw new Error("it answered with status " + response.status);
  const answer = await response.json();
  if (answer.decision !== "allow" && answer.decision !== "deny") throw new Error("its answer is malformed");
  return answer;
}

try {
  const answer = await ask(await readStdin());
  // For an allowed tool it prints nothing: "allow" would prevent Claude Code from asking its person.
  if (answer.decision === "deny") deny(answer.reason);
} catch (error) {
  const why = "Skillgate could not be asked whether this tool is allowed: " + error.message + ".";
  if (failOpen) process.stderr.write(why + " Claude Code's own permissions decide (--fail-open).\\n");
  else deny(why + " Tools are denied until it can be reached.");
}
`;
