/** What the user agents of known clients say; the `skills` CLI says no more than its runtime. */
const KNOWN: [RegExp, string][] = [
  [/^node\b/i, "skills"],
  [/clawhub|clawdhub/i, "clawhub"],
  [/opencode/i, "opencode"],
  [/claude/i, "claude-code"],
  [/codex/i, "codex"],
  [/gemini/i, "gemini-cli"],
  [/cursor/i, "cursor"],
  [/openclaw/i, "openclaw"],
  [/skillkit/i, "skillkit"],
  [/hermes/i, "hermes"],
  [/^git\//i, "git"],
  [/^curl\//i, "curl"],
  [/^mozilla\//i, "browser"],
];

/** The name of the client behind a user agent; `other` for all that are not known, since strangers choose what they say. */
export function clientName(userAgent: string | null): string {
  return KNOWN.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "other";
}
