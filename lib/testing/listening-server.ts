import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { endpointAnswerer } from "@/lib/http/router/answer-endpoint";
import { addressTable, type Found } from "@/lib/http/router/find-address";

type Table = [path: string, module: Record<string, unknown>][];

/** Handles requests to these route modules without Next.js, as the product does; returns false for other requests. */
export function tableAnswerer(
  table: Table,
  look: (request: IncomingMessage, response: ServerResponse, found: Found) => void = () => {},
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const find = addressTable({ endpoints: table.map(([path]) => path), pages: [], rewrites: [] });
  const answer = endpointAnswerer(Object.fromEntries(table.map(([path, module]) => [path, async () => module])));
  return (request, response) => {
    const found = find(request.url ?? "");
    look(request, response, found);
    return answer(request, response, found);
  };
}

/** Serves the route handlers on a free port, sets `PUBLIC_URL` to it and returns the address. */
export async function listeningServer(table: Table): Promise<string> {
  const answer = tableAnswerer(table);
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(404).end();
  });
  // On a busy machine a client could send on a connection that is just being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.PUBLIC_URL = url;
  return url;
}
