import { type NextRequest, NextResponse } from "next/server";
import { createNonce, pageHeaders } from "@/lib/http/page-policy";

/** Adds the content security policy to pages. Guards stand in the handlers, never here. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = createNonce();
  // The request id was given by the listener, which overwrites what a client sends.
  const own = new Headers(pageHeaders(request.headers.get("x-request-id"), nonce));
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-skillgate-path", pathOf(request)); // Where sign-in leads back to.
  headers.set("content-security-policy", own.get("content-security-policy") ?? ""); // Next reads the nonce for its own scripts from here.

  // A page cannot set its own status.
  const status = request.nextUrl.pathname === "/forbidden" ? 403 : 200;
  return NextResponse.next({ request: { headers }, headers: own, status });
}

function pathOf(request: NextRequest): string {
  const search = new URLSearchParams(request.nextUrl.search);
  search.delete("_rsc"); // The framework's own mark on navigations.
  const query = search.toString();
  return query ? `${request.nextUrl.pathname}?${query}` : request.nextUrl.pathname;
}

// Only fixed names are left out, never "anything with a dot": a skill's name in a page's address could hold one.
// The API must stay out of this list of matches: a matched upload is cut at 10 MB without an error.
export const config = {
  matcher: ["/((?!(?:api|v1|mcp|git|metrics|\\.well-known|_next/static)(?:/|$)|icon\\.svg$|robots\\.txt$).*)"],
};
