import { Agent, request } from "node:http";

export type ApiClient = {
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  upload<T>(path: string, file: { name: string; bytes: Uint8Array }): Promise<T>;
  close(): void;
};

/** A client that keeps its connections open, so that the figures are of the server and not of connecting. */
export function createApiClient(url: string, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  function send<T>(method: string, path: string, body: Uint8Array | string, contentType: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body.length > 0 ? { "content-type": contentType, "content-length": Buffer.byteLength(body) } : {}),
      };
      const call = request(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isFine = (response.statusCode ?? 500) < 300;
          // The caller knows what this endpoint answers with.
          if (isFine) resolve((text === "" ? undefined : JSON.parse(text)) as T);
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
        });
      });
      call.once("error", reject);
      call.end(body);
    });
  }

  return {
    json: (method, path, body) =>
      send(method, path, body === undefined ? "" : JSON.stringify(body), "application/json"),
    async upload(path, { name, bytes }) {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(bytes)]), name);
      const encoded = new Response(form);
      const type = encoded.headers.get("content-type") ?? "";
      return send("POST", path, new Uint8Array(await encoded.arrayBuffer()), type);
    },
    close: () => agent.destroy(),
  };
}
