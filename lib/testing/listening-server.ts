import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { serveDirectly } from "@/lib/http/direct/serve-directly";
import type { RouteHandler } from "@/lib/http/route";

type Table = [path: string, module: Record<string, unknown>][];

/** The real route handlers on a port of their own, which `PUBLIC_URL` names from now on. Answers the address. */
export async function listeningServer(table: Table): Promise<string> {
  const routes = table.flatMap(([path, module]) =>
    Object.entries(module)
      .filter(([method]) => /^[A-Z]+$/.test(method) && !path.includes("[..."))
      .map(([method, handler]) => ({ method, path, handler: handler as RouteHandler })),
  );
  const answer = serveDirectly(routes);
  const server = createServer((request, response) => {
    const direct = answer(request);
    if (direct) void direct(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.PUBLIC_URL = url;
  return url;
}
