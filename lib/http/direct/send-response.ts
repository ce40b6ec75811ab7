import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { answerText } from "../json-answer";

const MIN_GZIP_BYTES = 1024;
const compress = promisify(gzip);

/** Writes a `Response` to Node's own; long JSON in gzip for those who accept it, as the framework does. */
export async function sendResponse(request: IncomingMessage, to: ServerResponse, response: Response): Promise<void> {
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
