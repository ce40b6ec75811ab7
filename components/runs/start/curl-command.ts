/** Quotes a text for a POSIX shell, without expansions. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export type CommandRun = { origin: string; skill: string; args: Record<string, unknown>; confirm: boolean };

/** A curl command that starts the run and waits up to 30 seconds. */
export function curlForRun({ origin, skill, args, confirm }: CommandRun): string {
  const body = JSON.stringify({ args, wait: 30, ...(confirm ? { confirm: true } : {}) });
  return [
    `curl -sS ${shellQuote(`${origin}/api/skills/${encodeURIComponent(skill)}/runs`)}`,
    `-H "Authorization: Bearer $SKILLGATE_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(body)}`,
  ].join(" \\\n  ");
}

/** The `tools/call` message of MCP 2025-06-18. */
export function mcpForRun({ skill, args }: CommandRun): string {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: skill, arguments: args } };
  return JSON.stringify(call, null, 2);
}

/** A shell script that prints the result; piped arguments replace the given ones. Exits with 1 unless the run succeeds. */
export function shellForRun({ origin, skill, args, confirm }: CommandRun): string {
  const body = `{args: ., wait: 30${confirm ? ", confirm: true" : ""}}`;
  return [
    "#!/bin/sh",
    "set -eu",
    `if [ -t 0 ]; then args=${shellQuote(JSON.stringify(args))}; else args=$(cat); fi`,
    `run=$(printf %s "$args" | jq -c ${shellQuote(body)} | curl -sS --fail-with-body \\`,
    `  -H "Authorization: Bearer $SKILLGATE_TOKEN" -H 'Content-Type: application/json' \\`,
    `  --data-binary @- ${shellQuote(`${origin}/api/skills/${encodeURIComponent(skill)}/runs`)})`,
    `printf %s "$run" | jq 'if .state == "succeeded" then .result else (.error.message // .state) | halt_error(1) end'`,
  ].join("\n");
}
