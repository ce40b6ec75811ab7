import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import { logger } from "@/lib/core/logger";
import { answerText } from "../json-answer";

/** Shorter ones are not worth it. */
const MIN_GZIP_BYTES = 1024;
const GZIP = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|xml|toml|javascript)\b|[^;]*\+(?:json|text|xml)\b)/i;

const compress = promisify(gzip);

/**
 * Writes a `Response` to Node's own, as the framework would: text in gzip for those who accept it, unless `Cache-Control` says
 * `no-transform`. A text that is at hand leaves in one piece with the head.
 */
export async function sendResponse(request: IncomingMessage, to: ServerResponse, response: Response): Promise<void> {
  to.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name === "set-cookie") to.appendHeader(name, value);
    else to.setHeader(name, value);
  }
  const text = answerText(response);
  const body = text === undefined ? response.body : null;
  const canCompress = isCompressible(response);
  if (canCompress && (text !== undefined || body !== null)) to.appendHeader("vary", "Accept-Encoding");
  if (request.method === "HEAD") {
    await body?.cancel();
    return void to.end();
  }
  const length = text === undefined ? lengthOf(response) : Buffer.byteLength(text, "utf8");
  const compresses = canCompress && length >= MIN_GZIP_BYTES && acceptsGzip(request);
  if (compresses) {
    to.setHeader("content-encoding", "gzip");
    to.removeHeader("content-length");
  }
  if (text !== undefined) {
    if (compresses) return void to.end(await compress(text, GZIP));
    to.setHeader("content-length", length);
    return void to.end(text, "utf8");
  }
  if (body === null) return void to.end();
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  // Nothing is left to say to a caller who hung up, and the source hears of it by being cancelled.
  await pipeline(compresses ? [source, createGzip(GZIP), to] : [source, to]).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== "ERR_STREAM_PREMATURE_CLOSE" && err.name !== "AbortError")
      logger.error({ err }, "an answer broke off");
  });
}

function isCompressible({ headers }: Response): boolean {
  // A part is compared with its range, and joined with others, byte by byte.
  if (
    headers.has("content-encoding") ||
    headers.has("content-range") ||
    /\bno-transform\b/.test(headers.get("cache-control") ?? "")
  )
    return false;
  return COMPRESSIBLE.test(headers.get("content-type") ?? "");
}

/** Without a length it may be any. */
function lengthOf({ headers }: Response): number {
  return Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i.test(
    String(headers["accept-encoding"] ?? ""),
  );
}
