import { type NextRequest, NextResponse } from "next/server";

const isDev = process.env.NODE_ENV === "development";
const isHttps = process.env.PUBLIC_URL?.startsWith("https:") ?? false;

/** Adds the content security policy to pages. Guards stand in the handlers, never here. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = createNonce();
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-skillgate-path", pathOf(request)); // Where sign-in leads back to.
  headers.set("content-security-policy", policy); // Next reads the nonce for its own scripts from here.

  // A page cannot set its own status.
  const status = request.nextUrl.pathname === "/forbidden" ? 403 : 200;
  const response = NextResponse.next({ request: { headers }, status });
  response.headers.set("content-security-policy", policy);
  // Given by the listener, which overwrites what a client sends.
  const requestId = request.headers.get("x-request-id");
  if (requestId !== null) response.headers.set("x-request-id", requestId);
  if (isHttps) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

function pathOf(request: NextRequest): string {
  const search = new URLSearchParams(request.nextUrl.search);
  search.delete("_rsc"); // The framework's own mark on navigations.
  const query = search.toString();
  return query ? `${request.nextUrl.pathname}?${query}` : request.nextUrl.pathname;
}

function createNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self'",
    // The development overlay inserts styles without a nonce, and a nonce would switch 'unsafe-inline' off.
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

// Only fixed names are left out, never "anything with a dot": a skill's name in a page's address could hold one.
// The API must stay out of this list of matches: a matched upload is cut at 10 MB without an error.
export const config = {
  matcher: ["/((?!(?:api|mcp|git|metrics|\\.well-known|_next/static)(?:/|$)|icon\\.svg$|robots\\.txt$).*)"],
};
