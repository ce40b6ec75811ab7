import { Agent, request } from "node:http";

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };
export type CallOptions = {
  json?: unknown;
  body?: Uint8Array | string;
  headers?: Record<string, string>;
  /** Source address of the request: all of 127.0.0.0/8 is this machine. */
  from?: string;
};
export type Caller = {
  /** Resolves with every answer; rejects only when there is none. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): void;
};

export function openCaller(url: string, token: string | null, timeoutMs = 120_000): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const call: Caller["call"] = (method, path, { json, body, headers, from } = {}) =>
    new Promise((resolve, reject) => {
      const bytes = json === undefined ? (body ?? "") : JSON.stringify(json);
      const sent = request(
        `${url}${path}`,
        {
          method,
          agent,
          timeout: timeoutMs,
          ...(from === undefined ? {} : { localAddress: from }),
          headers: {
            // Injected defects skip the requests of the bench itself.
            "x-bench-good": "1",
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(json === undefined ? {} : { "content-type": "application/json" }),
            "content-length": Buffer.byteLength(bytes),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.once("error", reject);
          response.once("aborted", () => reject(new Error(`${method} ${path} was cut off`)));
          response.once("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        },
      );
      sent.once("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer within ${timeoutMs} ms`)));
      sent.once("error", reject);
      sent.end(bytes);
    });
  return { call, close: () => agent.destroy() };
}

export async function fileForm(
  name: string,
  bytes: Uint8Array,
): Promise<Required<Pick<CallOptions, "body" | "headers">>> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), name);
  const encoded = new Response(form);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
  };
}
