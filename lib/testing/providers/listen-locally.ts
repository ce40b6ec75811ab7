import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type LocalServer = { url: string; handle(listener: RequestListener): void; close(): void };

/** A server on a port of its own. What it answers is set afterwards, since that may depend on its address. */
export async function listenLocally(): Promise<LocalServer> {
  let listener: RequestListener = (_request, response) => response.writeHead(404).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle(next) {
      listener = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The fields of a form that was posted. */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
