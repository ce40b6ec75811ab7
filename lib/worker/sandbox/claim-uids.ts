import { createServer } from "node:net";
import { UID_POOL } from "./isolation";

const BLOCKS = 8;

let claimed: Promise<typeof UID_POOL | null> | null = null;

/**
 * A block of user ids that no other worker of this host has: without user namespaces the number of processes is counted
 * for each id, and runs are recognised by it. The claim is an abstract socket, which ends with this process. Null when all
 * blocks are taken.
 */
export function claimUids(): Promise<typeof UID_POOL | null> {
  claimed ??= findFree();
  return claimed;
}

async function findFree(): Promise<typeof UID_POOL | null> {
  // The first block is that of bubblewrap, whose user namespaces keep workers apart by themselves.
  for (let block = 1; block <= BLOCKS; block += 1) {
    const first = UID_POOL.first + block * UID_POOL.count;
    if (await listen(`\0skillgate-uids-${first}`)) return { first, count: UID_POOL.count };
  }
  return null;
}

function listen(name: string): Promise<boolean> {
  const server = createServer((socket) => void socket.destroy());
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(name, () => {
      server.unref();
      resolve(true);
    });
  });
}
