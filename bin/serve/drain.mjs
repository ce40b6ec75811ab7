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
