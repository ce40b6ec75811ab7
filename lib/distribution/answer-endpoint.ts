import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { sha256Hex } from "@/lib/core/hash";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import { type Protocol, recordActivity } from "./client-activity";
import type { Viewer } from "./identify-viewer";

/** What a scope lists, as JSON that `write` gives; the client that asked is noted under the protocol. */
export function answerIndex(
  request: Request,
  viewer: Viewer,
  protocol: Protocol,
  write: () => Promise<{ body: string; status?: number }>,
): Promise<Response> {
  return answerEndpoint(request, viewer, async () => {
    const written = await write();
    await recordActivity(viewer.ctx, protocol, request);
    return { ...written, contentType: "application/json", kind: "index" };
  });
}

export type EndpointAnswer = {
  body: string | Uint8Array<ArrayBuffer>;
  contentType: string;
  /** `index`: changes with every approval; `artifact`: the address says which bytes, for good. */
  kind: "index" | "artifact";
  /** A strong tag without quotes; left out, the hash of the body. */
  etag?: string;
  /** For bytes: the name under which a browser saves them. */
  filename?: string;
  /** 200 when left out. */
  status?: number;
};

const INDEX_SECONDS = 60;
const ARTIFACT_SECONDS = 31_536_000;

/**
 * Answers a read with what `make` makes once the viewer may read at all: limit, conditional requests, HEAD, parts of bytes, how long it may be kept and by whom, and reading by pages of other
 * sites where everybody is answered the same. Bytes are never rendered in our origin. Compression is left to none: clients
 * hash what they get.
 */
export async function answerEndpoint(
  request: Request,
  viewer: Viewer,
  make: () => Promise<EndpointAnswer>,
): Promise<Response> {
  const limits = await limitReads(viewer);
  const answer = await make();
  const etag = `"${answer.etag ?? sha256Hex(answer.body)}"`;
  const bytes = typeof answer.body === "string" ? new TextEncoder().encode(answer.body) : answer.body;
  const headers = new Headers({
    ...limits,
    etag,
    "content-type": answer.contentType,
    "cache-control": cacheControl(viewer, answer.kind),
    // Some that stand between compress what they can.
    vary: "Authorization, Cookie",
    "access-control-allow-origin": "*",
    "access-control-expose-headers":
      "ETag, Accept-Ranges, Content-Range, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  });
  if (!viewer.isPublic) {
    headers.delete("access-control-allow-origin");
    headers.delete("access-control-expose-headers");
    headers.delete("cross-origin-resource-policy");
  }
  if (answer.filename !== undefined) {
    headers.set("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(answer.filename)}`);
  }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
  const hasParts = typeof answer.body !== "string" && (answer.status ?? 200) === 200;
  if (hasParts) headers.set("accept-ranges", "bytes");
  const part = hasParts ? readRange(request, { etag, size: bytes.length }) : null;
  if (part === "outside") {
    headers.set("content-range", `bytes */${bytes.length}`);
    return new Response(null, { status: 416, headers });
  }
  if (part !== null) headers.set("content-range", `bytes ${part.from}-${part.to}/${bytes.length}`);
  const sent = part === null ? bytes : bytes.subarray(part.from, part.to + 1);
  headers.set("content-length", String(sent.length));
  const status = part === null ? (answer.status ?? 200) : 206;
  return new Response(request.method === "HEAD" ? null : sent, { status, headers });
}

/**
 * The one part of the bytes that a request asks for (RFC 9110, 14.2): null for all of them, as for several parts, for what
 * cannot be read, and when `If-Range` names other bytes. `outside` when they end before it.
 */
function readRange(
  request: Request,
  { etag, size }: { etag: string; size: number },
): { from: number; to: number } | "outside" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.get("range") ?? "") ?? [];
  const condition = request.headers.get("if-range");
  if (request.method !== "GET" || (first === "" && last === "")) return null;
  if (condition !== null && condition !== etag) return null;
  if (first === "") {
    const wanted = Number(last);
    return wanted === 0 || size === 0 ? "outside" : { from: Math.max(0, size - wanted), to: size - 1 };
  }
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return "outside";
  return { from: Number(first), to: Math.min(last === "" ? size - 1 : Number(last), size - 1) };
}

function cacheControl({ isPublic }: Viewer, kind: EndpointAnswer["kind"]): string {
  if (!isPublic) return "private, no-store";
  // `no-transform`: a proxy that packed an archive again would break its digest.
  if (kind === "artifact") return `public, max-age=${ARTIFACT_SECONDS}, immutable, no-transform`;
  return `public, max-age=${INDEX_SECONDS}`;
}

function isKnown(request: Request, etag: string): boolean {
  const wanted = request.headers.get("if-none-match");
  if (wanted === null) return false;
  return wanted.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

/** Reads of one viewer in a minute. Clients fetch all of an index at once. */
const READS_PER_MINUTE = FIXED_LIMITS.distribution.perMinute;

/**
 * Counts a read against what one viewer may read in a minute, and answers the header fields that say how much is left; else
 * `rate_limited`, with the same fields and the seconds to wait.
 */
export async function limitReads({ key }: Viewer): Promise<Record<string, string>> {
  const taken = await takeFromLimit("distribution", key, READS_PER_MINUTE);
  const headers = limitFields(taken);
  if (!taken.allowed) {
    const message = `More than ${taken.limit} requests in a minute. Try again in ${taken.resetSeconds} s.`;
    throw new AppError("rate_limited", message, { retryAfterSeconds: taken.resetSeconds, headers });
  }
  return headers;
}
