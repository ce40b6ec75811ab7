import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { OutgoingAgents } from "./connect-outgoing";
import { refusalIn } from "./outgoing-policy";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` over these agents, by the Fetch standard as far as a server needs it: buffers request bodies, decodes gzip,
 * deflate and br, has no cache and no cookies. Never follows redirects: with `redirect: "manual"` it returns them, else
 * it fails. Rejects with `address_not_allowed`, the reason of the signal, or a TypeError with a cause.
 */
export function createFetch(agents: OutgoingAgents): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A Request's own signal may be garbage collected before the body has ended.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null);
    signal?.throwIfAborted();
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    try {
      const answer = await ask(request, { agents, body, signal });
      if (REDIRECTS.has(answer.statusCode ?? 0) && request.redirect !== "manual") {
        answer.destroy();
        throw new Error(`it answered with a redirect (${answer.statusCode}), which is not followed`);
      }
      return toResponse(answer, { method: request.method, signal });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw refusalIn(cause) ?? new TypeError("fetch failed", { cause });
    }
  };
}

type Sent = { agents: OutgoingAgents; body: Buffer | null; signal: AbortSignal | null };

function ask(request: Request, { agents, body, signal }: Sent): Promise<IncomingMessage> {
  const url = new URL(request.url);
  const isTls = url.protocol === "https:";
  if (!isTls && url.protocol !== "http:") throw new Error(`${url.protocol} is not http or https`);
  const headers = new Headers(request.headers);
  const implied = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": "skillgate" };
  for (const [name, value] of Object.entries(implied)) if (!headers.has(name)) headers.set(name, value);
  if (body !== null) headers.set("content-length", String(body.length));
  const options: RequestOptions = {
    method: request.method,
    agent: isTls ? agents.https : agents.http,
    headers: Object.fromEntries(headers),
  };
  return new Promise((resolve, reject) => {
    const outgoing = isTls ? https.request(url, options) : http.request(url, options);
    const abort = () => {
      outgoing.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.once("response", resolve).on("error", reject);
    for (const over of ["response", "close"]) outgoing.once(over, () => signal?.removeEventListener("abort", abort));
    outgoing.end(body ?? undefined);
  });
}

function toResponse(
  answer: IncomingMessage,
  { method, signal }: { method: string; signal: AbortSignal | null },
): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  try {
    if (method === "HEAD" || WITHOUT_BODY.has(status)) {
      const response = new Response(null, { status, statusText, headers });
      answer.resume();
      return response;
    }
    const stream = unpack(answer, headers.get("content-encoding")?.toLowerCase() ?? null);
    const abort = () => stream.destroy(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    stream.once("close", () => signal?.removeEventListener("abort", abort));
    const body = Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return new Response(body, { status, statusText, headers });
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

function unpack(answer: IncomingMessage, encoding: string | null): Readable {
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : null;
  // An error of either stream ends both, and reaches the reader of the body.
  return decoder === null ? answer : pipeline(answer, decoder, () => undefined);
}
