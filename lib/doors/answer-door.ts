import { sha256Hex } from "@/lib/core/hash";
import { limitDoor } from "./limit-door";
import type { DoorViewer } from "./viewer-of";

export type DoorAnswer = {
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
 * Answers a read with what `make` makes once the viewer may read at all: limit, conditional requests, HEAD, how long it may be kept and by whom, and reading by pages of other
 * sites where everybody is answered the same. Bytes are never rendered in our origin. Compression is left to none: clients
 * hash what they get.
 */
export async function answerDoor(
  request: Request,
  viewer: DoorViewer,
  make: () => Promise<DoorAnswer>,
): Promise<Response> {
  const limits = await limitDoor(viewer);
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
    "access-control-expose-headers": "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After",
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
  headers.set("content-length", String(bytes.length));
  return new Response(request.method === "HEAD" ? null : bytes, { status: answer.status ?? 200, headers });
}

function cacheControl({ isPublic }: DoorViewer, kind: DoorAnswer["kind"]): string {
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
