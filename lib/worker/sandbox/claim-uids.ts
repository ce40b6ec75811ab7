import { createServer } from "node:net";
import { UID_POOL } from "./isolation";

const BLOCKS = 9;

let claimed: Promise<typeof UID_POOL | null> | null = null;

/**
 * A block of user ids that no other worker of this host has, so that a run's id is its own: the kernel counts processes for
 * each id, lets those of one id signal each other, and runs are recognised by it. The claim is an abstract socket, which ends
 * with this process and is seen in its network namespace only. Null when all blocks are taken.
 */
export function claimUids(): Promise<typeof UID_POOL | null> {
  claimed ??= findFree();
  return claimed;
}

async function findFree(): Promise<typeof UID_POOL | null> {
  for (let block = 0; block < BLOCKS; block += 1) {
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
