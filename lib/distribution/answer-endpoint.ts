import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { FIXED_LIMITS, limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import { type Protocol, recordActivity } from "./client-activity";
import type { Viewer } from "./identify-viewer";

/** Answers with the JSON that `write` returns, and records the client's activity under the protocol. */
export function answerIndex(
  request: Request,
  viewer: Viewer,
  protocol: Protocol,
  write: () => Promise<{ body: string; etag?: string; status?: number }>,
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
  /** `index` changes with every approval; `artifact` never changes, since its address holds the digest. */
  kind: "index" | "artifact";
  /** Strong, without quotes; defaults to the hash of the body. */
  etag?: string;
  filename?: string;
  status?: number;
};

const INDEX_SECONDS = 60;
const ARTIFACT_SECONDS = 31_536_000;

/**
 * Answers a read: rate limit, conditional requests, HEAD, byte ranges, caching, and CORS where every viewer gets the
 * same answer. Browsers never render the bytes in our origin. Bodies stay uncompressed, since clients hash what they
 * receive.
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
 * The byte range of a request (RFC 9110, section 14.2). Null for the whole body: without a range, for several or
 * unreadable ranges, and when `If-Range` names another version. `outside` when the range begins after the end.
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
  // A proxy that recompressed an archive would break its digest.
  if (kind === "artifact") return `public, max-age=${ARTIFACT_SECONDS}, immutable, no-transform`;
  return `public, max-age=${INDEX_SECONDS}`;
}

function isKnown(request: Request, etag: string): boolean {
  const wanted = request.headers.get("if-none-match");
  if (wanted === null) return false;
  return wanted.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

/** Per viewer. Clients fetch all files of an index at once. */
const READS_PER_MINUTE = FIXED_LIMITS.distribution.perMinute;

/**
 * Counts a read against the viewer's limit and returns the rate limit headers. Throws `rate_limited` with the same
 * headers and the seconds to wait.
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
