import http from "node:http";
import https from "node:https";
import { ServerError } from "./server-error";

const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

export type ServerRequest = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  token: string;
  /** JSON as a text, or bytes as they are. */
  body?: string | Buffer;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal;
};

/**
 * One HTTP request, answered whole. node:http and not fetch: the worker stays small, since each spawn costs time in
 * proportion to its memory. Redirects are not followed, they would carry the token elsewhere.
 * Throws ServerError when there is no complete answer within `timeoutMs` or it is longer than `maxBytes`.
 */
export function sendRequest(request: ServerRequest): Promise<{ status: number; body: Buffer }> {
  const { url, body, timeoutMs, maxBytes } = request;
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const call = (isSecure ? https : http).request(url, {
      method: request.method,
      agent: isSecure ? agents.https : agents.http,
      ...(request.signal ? { signal: request.signal } : {}),
      headers: {
        authorization: `Bearer ${request.token}`,
        ...(body === undefined
          ? {}
          : { "content-type": contentTypeOf(body), "content-length": Buffer.byteLength(body).toString() }),
      },
    });
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    const fail = (cause: Error & { code?: string }) => {
      clearTimeout(timer);
      reject(new ServerError(null, `${url.origin}: ${cause.message || cause.code || "no connection"}`, { cause }));
    };
    call.on("error", fail);
    call.on("response", (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) call.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
      });
      answer.on("error", fail);
      answer.on("end", () => {
        clearTimeout(timer);
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) });
      });
    });
    call.end(body);
  });
}

function contentTypeOf(body: string | Buffer): string {
  return typeof body === "string" ? "application/json" : "application/octet-stream";
}
