import { SERVER_INFO } from "../mcp-methods";

export type RequestId = string | number;
export type Message = { jsonrpc: "2.0"; [key: string]: unknown };

const KEEP_ALIVE_MS = 15_000;

const CONSTANT_MS = 60 * 60_000;

/**
 * How long clients may keep the results of these methods. Lists and content are read again before each use, since an approval may
 * be withdrawn at any moment; all depend on the caller.
 */
const TTL_MS: Readonly<Record<string, number>> = {
  "server/discover": CONSTANT_MS,
  "resources/templates/list": CONSTANT_MS,
  "tools/list": 0,
  "prompts/list": 0,
  "resources/list": 0,
  "skills/list": 0,
  "skills/get": 0,
  "resources/read": 0,
};

/** A JSON-RPC error as the whole answer. */
export function failure(
  status: number,
  code: number,
  message: string,
  { id = null, data }: { id?: RequestId | null; data?: unknown } = {},
): Response {
  return Response.json(
    { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } },
    { status },
  );
}

/** The message of a result with what revision 2026-07-28 requires of it: its type, its time to live, and who answers. */
export function resultOf(id: RequestId, method: string, { _meta, ...result }: Record<string, unknown>): Message {
  const ttlMs = Object.hasOwn(TTL_MS, method) ? TTL_MS[method] : undefined;
  const meta = { ...(_meta as object | undefined), "io.modelcontextprotocol/serverInfo": SERVER_INFO };
  const kept = ttlMs === undefined || result.resultType !== undefined ? {} : { ttlMs, cacheScope: "private" };
  return { jsonrpc: "2.0", id, result: { resultType: "complete", ...result, ...kept, _meta: meta } };
}

export type EventStream = { response: Response; send(message: Message): void; end(): void };

/** A stream of server-sent events, one for each message, with a comment every 15 seconds. `onCancel`: the client closed it. */
export function openEventStream(onCancel: () => void): EventStream {
  const encoder = new TextEncoder();
  let isOpen = true;
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  const close = () => {
    isOpen = false;
    clearInterval(timer);
  };
  const write = (text: string) => {
    if (isOpen) sink?.enqueue(encoder.encode(text));
  };
  const timer = setInterval(() => write(":\n\n"), KEEP_ALIVE_MS).unref();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sink = controller;
    },
    cancel: () => {
      close();
      onCancel();
    },
  });
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
  return {
    response: new Response(body, { headers }),
    send: (message) => write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end: () => {
      if (isOpen) sink?.close();
      close();
    },
  };
}
