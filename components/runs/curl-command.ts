/** Quotes a text for a POSIX shell: nothing in it is expanded. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

type CurlRun = { origin: string; skill: string; args: Record<string, unknown>; confirm: boolean };

/** The command that does what the Run button does, and waits for the result. */
export function curlForRun({ origin, skill, args, confirm }: CurlRun): string {
  const body = JSON.stringify({ args, wait: 30, ...(confirm ? { confirm: true } : {}) });
  return [
    `curl -sS ${shellQuote(`${origin}/api/skills/${encodeURIComponent(skill)}/runs`)}`,
    `-H "Authorization: Bearer $SKILLGATE_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellQuote(body)}`,
  ].join(" \\\n  ");
}
