/** The beginning of a secret, enough to find it; the rest as dots. */
export function redact(secret: string): string {
  return `${secret.slice(0, 8)}…(${secret.length} characters)`;
}
