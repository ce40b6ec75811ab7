import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type DamagingProxy = { url: string; close(): void };

/**
 * A proxy that changes one bit in every archive. It switches the older index off, which has no digests and on which clients fall
 * back.
 */
export async function damagingProxy(target: string): Promise<DamagingProxy> {
  const server = createServer(async (request, response) => {
    if (request.url?.includes("/.well-known/skills/")) {
      response.writeHead(404).end();
      return;
    }
    const answer = await fetch(target + (request.url ?? "/"), { method: request.method ?? "GET" });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const last = bytes.length - 1;
    if (/\/a\/[^/]+\/[0-9a-f]{64}/.test(request.url ?? "") && last >= 0)
      bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    response
      .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
      .end(bytes);
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
