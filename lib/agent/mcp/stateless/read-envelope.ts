import {
  ErrorCode,
  ImplementationSchema,
  LoggingLevelSchema,
  ProgressTokenSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { metaOf } from "../confirm-run";
import { failure, type RequestId } from "./write-answer";

const VERSION = "2026-07-28";
const LEGACY = new Set(SUPPORTED_PROTOCOL_VERSIONS);

/** All revisions that `/mcp` speaks, newest first; those before 2026-07-28 begin with `initialize`. */
export const VERSIONS: readonly string[] = [VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

export const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
const SAID_VERSION = "io.modelcontextprotocol/protocolVersion";
const SAID_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SAID_CLIENT = "io.modelcontextprotocol/clientInfo";
const SAID_LEVEL = "io.modelcontextprotocol/logLevel";

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  id: z.union([z.string(), z.number()]).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

const Meta = z.looseObject({
  [SAID_CAPABILITIES]: z.record(z.string(), z.unknown()),
  [SAID_CLIENT]: ImplementationSchema.optional(),
  [SAID_LEVEL]: LoggingLevelSchema.optional(),
  progressToken: ProgressTokenSchema.optional(),
});

export type Envelope = {
  id: RequestId;
  method: string;
  params: Record<string, unknown>;
  meta: {
    all: Record<string, unknown>;
    capabilities: Record<string, unknown>;
    /** Name and version of the client; undefined when it does not say. */
    client: string | undefined;
    logLevel: z.infer<typeof LoggingLevelSchema> | null;
    progressToken: z.infer<typeof ProgressTokenSchema> | null;
  };
};

/** Methods whose header `Mcp-Name` repeats a parameter. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * Whether a request is one of revision 2026-07-28 or later: its `_meta` or its header says a version that has no sessions.
 * `initialize` without such `_meta` opens a session.
 */
export function isStateless(request: Request, body: unknown): boolean {
  const said = metaOf(body)?.[SAID_VERSION];
  if (said !== undefined) return typeof said !== "string" || !LEGACY.has(said);
  const header = request.headers.get("mcp-protocol-version");
  return header !== null && !LEGACY.has(header) && Message.safeParse(body).data?.method !== "initialize";
}

/**
 * Reads what each request of revision 2026-07-28 says of itself (basic/index, `_meta`), and compares the headers that repeat
 * parts of the body (basic/transports/streamable-http, Server Validation). Returns the answer to a notification or to an
 * invalid request instead.
 */
export function readEnvelope(request: Request, body: unknown): Envelope | Response {
  const message = Message.safeParse(body);
  if (!message.success) {
    const why = Array.isArray(body)
      ? "Send each message in a request of its own."
      : "The body is not a JSON-RPC request.";
    return failure(400, ErrorCode.InvalidRequest, why);
  }
  const { id, method, params = {} } = message.data;
  if (id === undefined) return new Response(null, { status: 202 });
  const refuse = (code: number, why: string, data?: object) => failure(400, code, why, { id, data });

  const header = request.headers.get("mcp-protocol-version");
  const meta = metaOf(body) ?? {};
  const version = meta[SAID_VERSION] ?? header;
  if (header === null) return refuse(HEADER_MISMATCH, "The header MCP-Protocol-Version is missing.");
  if (version !== header) {
    return refuse(HEADER_MISMATCH, "The header MCP-Protocol-Version differs from the version in params._meta.");
  }
  if (version !== VERSION) {
    const data = { supported: VERSIONS, requested: header };
    return refuse(UNSUPPORTED_VERSION, `This server does not speak version ${header.slice(0, 50)}.`, data);
  }
  const needed = [SAID_VERSION, SAID_CAPABILITIES].find((key) => meta[key] === undefined);
  if (needed !== undefined) return refuse(ErrorCode.InvalidParams, `${method} needs params._meta.${needed}.`);
  const said = Meta.safeParse(meta);
  if (!said.success) {
    const path = said.error.issues[0]?.path.join(".");
    return refuse(ErrorCode.InvalidParams, `params._meta.${path} of ${method} is not what the protocol requires.`);
  }
  const differs = findMismatch(request.headers, method, params);
  if (differs !== null) return refuse(HEADER_MISMATCH, differs);
  const client = said.data[SAID_CLIENT];
  return {
    ...{ id, method, params },
    meta: {
      all: meta,
      capabilities: said.data[SAID_CAPABILITIES],
      client: client && `${client.name} ${client.version}`,
      logLevel: said.data[SAID_LEVEL] ?? null,
      progressToken: said.data.progressToken ?? null,
    },
  };
}

function findMismatch(headers: Headers, method: string, params: Record<string, unknown>): string | null {
  const said = headers.get("mcp-method");
  if (said === null) return "The header Mcp-Method is missing.";
  if (said !== method) return "The header Mcp-Method differs from the method in the body.";
  const named = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const value = named === undefined ? undefined : params[named];
  if (typeof value !== "string") return null;
  const name = headers.get("mcp-name");
  if (name === null) return "The header Mcp-Name is missing.";
  return decodeHeader(name) === value ? null : `The header Mcp-Name differs from params.${named} in the body.`;
}

/** A header's text; `=?base64?…?=` holds UTF-8 in base64 (Value Encoding). Null for text that is not valid. */
export function decodeHeader(text: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
