import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { createStarters, type Starters } from "../launch/preforked-pool";
import type { UidPool } from "../processes/user-ids";
import type { Isolation } from "../sandbox/isolation";
import { waitUntil } from "./wait-until";

const shared = new Map<UidPool, { starters: Starters | null; isBroken: boolean }>();

/** As a worker has them, once one of them is idle; the same for all tests of a file that use these user ids. */
export async function shareStarters(isolation: Isolation, uids: UidPool, slotCount = 2): Promise<Starters | null> {
  let found = shared.get(uids);
  if (found === undefined) {
    const parent = mkdtempSync(join(tmpdir(), "starters-"));
    chmodSync(parent, 0o711);
    found = { starters: null, isBroken: false };
    shared.set(uids, found);
    atFileEnd(() => {
      shared.delete(uids);
      found?.starters?.close();
      rmSync(parent, { recursive: true, force: true });
    });
    const tell = () => {
      if (found) found.isBroken = true;
    };
    found.starters = createStarters({ isolation, uids, slotCount, parent, shown: [realpathSync(tmpdir())], tell });
  }
  const { starters } = found;
  if (starters !== null) await waitUntil("an idle starter", () => starters.idle() > 0 || found.isBroken);
  return found.isBroken ? null : starters;
}
