import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type LocalServer = { url: string; handle(listener: RequestListener): void; close(): void };

/** Starts a server on a free port. `handle` sets its handler later, which may need the address. */
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

/** Fields of a posted form. */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
