const isDev = process.env.NODE_ENV === "development";
const isHttps = process.env.PUBLIC_URL?.startsWith("https:") ?? false;

/** Response headers of pages besides the common ones; `requestId` comes from the listener. */
export function pageHeaders(
  requestId: string | string[] | null | undefined,
  nonce = createNonce(),
): [string, string][] {
  return [
    ["content-security-policy", contentSecurityPolicy(nonce)],
    ...(typeof requestId === "string" ? ([["x-request-id", requestId]] as [string, string][]) : []),
    ...(isHttps ? ([["strict-transport-security", "max-age=31536000"]] as [string, string][]) : []),
  ];
}

export function createNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self'",
    // The development overlay inserts styles without a nonce, and a nonce would disable 'unsafe-inline'.
    isDev ? "style-src-elem 'self' 'unsafe-inline'" : `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
