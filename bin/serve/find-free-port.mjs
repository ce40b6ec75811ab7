import { createServer } from "node:net";

/** A port nobody listens on. The start-up needs to know its address before it listens, so port 0 is settled first. */
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
