import { setTimeout as delay } from "node:timers/promises";

/** Stops accepting, lets requests in flight finish for up to `graceMs`, then closes what is left. */
export async function drain(server, graceMs) {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Kept-alive connections turn idle one by one while their last answer is written.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}
