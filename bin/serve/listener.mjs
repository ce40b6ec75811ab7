import { createServer, isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Stops accepting connections, lets requests in flight finish for up to `graceMs`, then closes the rest. */
export async function drain(server, graceMs) {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Keep-alive connections become idle one by one as their last responses end.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}

const anyAddress = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Listen address from HOST and PORT, and the URL from this machine. */
export function listenAddress(env) {
  const host = env.HOST || "127.0.0.1";
  const port = env.PORT ? Number(env.PORT) : 3000;
  const isValid = Number.isInteger(port) && port >= 0 && port <= 65_535;
  return isValid ? { host, port, problems: [] } : { host, port: 3000, problems: ["PORT: must be a port number"] };
}

export function localUrl(host, port) {
  const reachable = anyAddress[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/** Returns a free port. The start-up needs its address before it listens, so port 0 is resolved first. */
export function findFreePort(host) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
