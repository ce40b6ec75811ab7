import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { getEnv } from "@/lib/core/env";
import { logger } from "@/lib/core/logger";
import { answerText } from "../json-answer";
import { directRequest } from "./direct-request";
import { type DirectRoute, directMatcher } from "./match-direct";

const MIN_GZIP_BYTES = 1024;

const compress = promisify(gzip);

/** Answers a request that has a direct way, or is null: then it is the framework's. */
export type Direct = (request: IncomingMessage) => ((response: ServerResponse) => Promise<void>) | null;

declare global {
  var __skillgateDirect: Direct | undefined;
}

/**
 * The routes that are called many times a second, past the framework: the listener (bin/web.mjs) asks for each request
 * whether there is a direct way. The handlers are the ones the framework calls; all checks are in them.
 */
export function serveDirectly(routes: readonly DirectRoute[]): Direct {
  const match = directMatcher(routes);
  return (request) => {
    const address = request.url ?? "";
    const end = address.indexOf("?");
    const found = match(request.method ?? "", end === -1 ? address : address.slice(0, end));
    if (found === null) return null;
    return async (response) => {
      try {
        // What a handler leaves unread is read off the connection, so that the next request on it is heard.
        response.once("finish", () => request.resume());
        const asked = directRequest(request, response, originOf(request) + address);
        await sendResponse(request, response, await found.handler(asked, { params: Promise.resolve(found.params) }));
      } catch (err) {
        logger.error({ err, path: address.slice(0, end === -1 ? undefined : end) }, "a direct answer failed");
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      }
    };
  };
}

/** The handlers look at the path and the query; the host is the client’s own word, as it is with the framework. */
function originOf(request: IncomingMessage): string {
  const host = request.headers.host;
  if (host === undefined) return getEnv().publicUrl;
  const origin = `http://${host}`;
  if (origin === lastOrigin) return origin;
  if (!URL.canParse(origin)) return getEnv().publicUrl;
  lastOrigin = origin;
  return origin;
}

/** The one that was understood last; most requests have the same. */
let lastOrigin: string | null = null;

/** Writes a `Response` to Node's own; long JSON in gzip for those who accept it, as the framework does. */
async function sendResponse(request: IncomingMessage, to: ServerResponse, response: Response): Promise<void> {
  to.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name === "set-cookie") to.appendHeader(name, value);
    else to.setHeader(name, value);
  }
  const text = answerText(response);
  if (text !== undefined) return sendText(request, to, text);
  if (response.body === null) return void to.end();
  // Nothing is left to say to a caller who hung up, and the source hears of it by being cancelled.
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), to).catch(() => {});
}

async function sendText(request: IncomingMessage, to: ServerResponse, text: string): Promise<void> {
  const length = Buffer.byteLength(text, "utf8");
  if (length >= MIN_GZIP_BYTES) {
    to.appendHeader("vary", "Accept-Encoding");
    if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(request.headers["accept-encoding"] ?? ""))) {
      to.setHeader("content-encoding", "gzip");
      to.end(await compress(text, { level: constants.Z_BEST_SPEED }));
      return;
    }
  }
  to.setHeader("content-length", length);
  // Head and text leave as one piece.
  to.end(text, "utf8");
}
