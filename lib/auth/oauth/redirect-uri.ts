const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** Schemes that a browser acts on by itself, or that name no program. */
const NEVER = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]);

/**
 * Whether a program may have its answers sent there: https, http on this machine only, or a scheme of its own
 * (`cursor://…`, `com.example.app:/…`). No fragment, no user part (RFC 6749 section 3.1.2, RFC 8252 section 7).
 */
export function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || /[\s\p{Cc}#]/u.test(text)) return false;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || NEVER.has(url.protocol)) return false;
  if (url.protocol === "http:") return LOOPBACK.has(url.hostname);
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]|[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:\/)/i.test(text);
}

/** Exactly the same; on the loopback interface any port, which native programs choose anew each time (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  return registered.some((known) => known === given || (withoutPort(known) ?? known) === withoutPort(given));
}

function withoutPort(text: string): string | null {
  const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)(.*)$/.exec(text);
  return loopback === null ? null : `${loopback[1]}${loopback[2]}`;
}
