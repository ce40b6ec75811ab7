import type { ClientActivity } from "@/lib/client/connect";

/** The clients in the order of the tabs. */
export const clients = [
  { key: "claude-code", label: "Claude Code" },
  { key: "codex", label: "Codex" },
  { key: "gemini-cli", label: "Gemini CLI" },
  { key: "opencode", label: "OpenCode" },
  { key: "openclaw", label: "OpenClaw" },
  { key: "cursor", label: "Cursor" },
  { key: "mcp", label: "Any MCP client" },
  { key: "skills", label: "npx skills" },
  { key: "clawhub", label: "clawhub" },
  { key: "anthropic-sdk", label: "Anthropic SDK" },
  { key: "git", label: "git" },
  { key: "curl", label: "curl" },
] as const;

export type ClientKey = (typeof clients)[number]["key"];

export function clientOf(value: string): ClientKey {
  return clients.find(({ key }) => key === value)?.key ?? "claude-code";
}

/** The last call of a client. For "mcp", every call to the MCP endpoint counts. */
export function lastCallOf(key: ClientKey, activity: readonly ClientActivity[]): string | null {
  const times = activity.filter(({ client, door }) => client === key || (key === "mcp" && door === "mcp"));
  return (
    times
      .map(({ lastSeenAt }) => lastSeenAt)
      .sort()
      .at(-1) ?? null
  );
}
