import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type DamagingProxy = { url: string; close(): void };

/**
 * A proxy that changes one bit in every archive and every layer. It switches the older index off, which has no digests and on which clients fall
 * back.
 */
export async function damagingProxy(target: string): Promise<DamagingProxy> {
  const server = createServer(async (request, response) => {
    if (request.url?.includes("/.well-known/skills/")) {
      response.writeHead(404).end();
      return;
    }
    const { authorization } = request.headers;
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await fetch(target + (request.url ?? "/"), { method: request.method ?? "GET", headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const last = bytes.length - 1;
    const isArchive = /\/a\/[^/]+\/[0-9a-f]{64}|\/blobs\/sha256:/.test(request.url ?? "");
    if (isArchive && last >= 0) bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    const kept = ["content-type", "www-authenticate"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
