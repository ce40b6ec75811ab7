import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a web server on loopback for one test. Returns its address without a path. */
export async function serveHttp(listener: RequestListener, address = "127.0.0.1"): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}
