import { createServer } from "node:net";

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
