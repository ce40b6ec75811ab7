/**
 * The hook for Claude Code's PreToolUse event: a program for plain Node, without dependencies, that reads the event from stdin
 * and asks this instance. Its answers are those of Claude Code's documentation on hooks: `permissionDecision` "deny" with a
 * reason, or nothing at all, which leaves the question to Claude Code's own permissions.
 */
export function writeClaudeCodeHook(publicUrl: string): string {
  return HOOK.replace("__PUBLIC_URL__", () => JSON.stringify(publicUrl));
}

/** What goes into a settings file of Claude Code, with the hook lying where its first lines say. */
export function writeClaudeCodeSettings(): string {
  const command = 'node "$HOME/.claude/hooks/skillgate-authorize-tool.mjs"';
  const hooks = { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command, timeout: 10 }] }] };
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

const HOOK = `#!/usr/bin/env node
// Holds Claude Code to the tools that the active skill of Skillgate allows (its allowed-tools).
//
//   mkdir -p ~/.claude/hooks
//   curl -fsS SKILLGATE/connect/claude-code/authorize-tool.mjs -o ~/.claude/hooks/skillgate-authorize-tool.mjs
//
// and the hook of SKILLGATE/connect/claude-code/settings.json in ~/.claude/settings.json, or in .claude/settings.json of a
// project. SKILLGATE is the address below. Environment:
//
//   SKILLGATE_TOKEN    the token that Claude Code's connection to Skillgate uses (sgt_…); needed
//   SKILLGATE_URL      another address than the one below
//   SKILLGATE_SESSION  the agent session; without it, all sessions of the token seen within an hour have to allow a tool
//   SKILLGATE_SERVER   what Claude Code calls Skillgate's MCP server; "skillgate" when it is not set
//
// When Skillgate cannot be asked, tools are denied. With --fail-open behind the file's name in the command they are left to
// Claude Code's own permissions instead.

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
  if (!response.ok) throw new Error("it answered " + response.status);
  const answer = await response.json();
  if (answer.decision !== "allow" && answer.decision !== "deny") throw new Error("its answer cannot be read");
  return answer;
}

try {
  const answer = await ask(await readStdin());
  // An allowed tool is left to Claude Code's own permissions: "allow" here would keep it from asking its person.
  if (answer.decision === "deny") deny(answer.reason);
} catch (error) {
  const why = "Skillgate could not be asked whether this tool is allowed: " + error.message + ".";
  if (failOpen) process.stderr.write(why + " The tool is left to Claude Code's own permissions (--fail-open).\\n");
  else deny(why + " Tools are denied until it can be.");
}
`;
