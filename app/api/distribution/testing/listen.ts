import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll } from "vitest";

type Ask = (
  path: string,
  options: { method: string; headers: Record<string, string>; body?: Uint8Array<ArrayBuffer> },
) => Promise<Response>;

/** Serves route handlers on a real port, for clients that speak HTTP only. Returns the address. */
export async function listen(ask: Ask): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
    const body = Buffer.concat(chunks);
    const method = request.method ?? "GET";
    const sent = body.length > 0 ? { body: new Uint8Array(body) } : method === "POST" ? { body: new Uint8Array() } : {};
    try {
      const answer = await ask(request.url ?? "/", { method, headers, ...sent });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body) Readable.fromWeb(answer.body as import("node:stream/web").ReadableStream).pipe(response);
      else response.end();
    } catch (error) {
      response.writeHead(error instanceof Error && error.message.startsWith("no route") ? 404 : 500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
