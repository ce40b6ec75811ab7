import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { errorResponse } from "@/lib/http/problem";
import { everywhere, ofApi } from "@/security-headers.mjs";
import { answerText } from "../json-answer";
import { pageHeaders } from "../page-policy";
import type { RouteHandler } from "../route";
import type { Found, Params } from "./find-address";

export type Routes = Record<string, () => Promise<Record<string, unknown>>>;
/** Answers a request to a route file; false leaves it to the framework. */
export type AnswerEndpoint = (request: IncomingMessage, response: ServerResponse, found: Found) => boolean;

/** Methods that the framework supports; it rejects others. */
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
const ADAPTER = {
  overrideGlobalObjects: false,
  // It would close a connection half a second after an answer that precedes the end of the body.
  autoCleanupIncoming: false,
  // The client controls the host, so it is not used.
  hostname: "localhost",
};

/** Dispatches requests to route handlers, bypassing the framework. The handlers contain all checks. */
export function endpointAnswerer(routes: Routes): AnswerEndpoint {
  const loaded = new Map<string, Record<string, unknown>>();

  async function load(name: string): Promise<Record<string, unknown>> {
    const module = loaded.get(name) ?? (await routes[name]?.());
    if (module === undefined) throw new Error(`no route file is at ${name}`);
    loaded.set(name, module);
    return module;
  }

  return (incoming, outgoing, { name, endpoint }) => {
    if (endpoint === null) return false;
    incoming.url = endpoint.target;
    adoptHeaders(incoming);
    // Reads the rest of the body, so that the connection can be reused. A body reader's listener (`Readable.toWeb`)
    // would pause the stream again.
    outgoing.once("finish", () => incoming.removeAllListeners("data").resume());
    const isOfPages = name.startsWith("/connect/");
    for (const { key, value } of isOfPages ? everywhere : [...everywhere, ...ofApi]) outgoing.setHeader(key, value);
    for (const [key, value] of isOfPages ? pageHeaders(incoming.headers["x-request-id"]) : [])
      outgoing.setHeader(key, value);
    const answer = async (request: Request) => {
      try {
        await sendResponse(incoming, outgoing, await dispatch(await load(name), request, endpoint.params));
      } catch (err) {
        logger.error({ err, route: name }, "a response failed");
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(500).end();
      }
      return RESPONSE_ALREADY_SENT;
    };
    void getRequestListener(answer, ADAPTER)(incoming, outgoing);
    return true;
  };
}

/** Calls the handler of a method; without one answers like the framework, with `Allow` (RFC 9110, section 15.5.6). */
async function dispatch(module: Record<string, unknown>, request: Request, params: Params): Promise<Response> {
  const { method } = request;
  if (!METHODS.has(method)) return new Response(null, { status: 400 });
  const handler = module[method] ?? (method === "HEAD" ? module.GET : undefined);
  // Exports named after methods are handlers.
  if (typeof handler === "function")
    return (handler as RouteHandler)(request, { params: Promise.resolve(decode(params)) });
  const own = Object.keys(module).filter((name) => METHODS.has(name));
  const allow = [...own, ...(module.GET === undefined ? [] : ["HEAD"]), "OPTIONS"].sort().join(", ");
  const errors = (module.GET as RouteHandler | undefined)?.definition?.errors;
  if (errors === "skills-api" && method !== "OPTIONS") {
    const error = new AppError("method_not_allowed", `This address can only be read here. It allows ${allow}.`, {
      headers: { allow },
    });
    return errorResponse(error, request.headers.get("x-request-id") ?? newId(), errors);
  }
  return new Response(null, { status: method === "OPTIONS" ? 204 : 405, headers: { allow } });
}

/** Handlers get decoded parameters, as from the framework. */
function decode(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(decodeURIComponent) : decodeURIComponent(value),
    ]),
  );
}

/** The adapter reads raw headers. It must see Node's parsed ones, with the values that our listener set. */
function adoptHeaders(incoming: IncomingMessage): void {
  const { headers } = incoming;
  // Only used as the origin of `request.url`, where an invalid one would throw. Deleting it would make later lookups slow.
  headers.host = undefined;
  const raw: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") raw.push(name, value);
    else for (const text of value ?? []) raw.push(name, text);
  }
  incoming.rawHeaders = raw;
}

const MIN_GZIP_BYTES = 1024;
const GZIP = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|xml|toml|javascript)\b|[^;]*\+(?:json|text|xml)\b)/i;

const compress = promisify(gzip);

/**
 * Writes a `Response` to Node's response like the framework: text in gzip for clients that accept it, except with
 * `no-transform`. A known text is sent in one piece with the head.
 */
async function sendResponse(request: IncomingMessage, to: ServerResponse, response: Response): Promise<void> {
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
  // The client has disconnected; cancelling informs the source.
  await pipeline(compresses ? [source, createGzip(GZIP), to] : [source, to]).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== "ERR_STREAM_PREMATURE_CLOSE" && err.name !== "AbortError")
      logger.error({ err }, "a response was cut off");
  });
}

function isCompressible({ headers }: Response): boolean {
  // Byte ranges must stay as they are.
  if (
    headers.has("content-encoding") ||
    headers.has("content-range") ||
    /\bno-transform\b/.test(headers.get("cache-control") ?? "")
  )
    return false;
  return COMPRESSIBLE.test(headers.get("content-type") ?? "");
}

function lengthOf({ headers }: Response): number {
  return Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
}

/** RFC 9110, section 12.5.3: what is said of gzip itself counts before `*`. */
function acceptsGzip({ headers }: IncomingMessage): boolean {
  const accepted = new Map<string, boolean>();
  for (const entry of String(headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")) {
    const [name = "", ...parameters] = entry.replace(/\s/g, "").split(";");
    accepted.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  return accepted.get("gzip") ?? accepted.get("*") ?? false;
}
