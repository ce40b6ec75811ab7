import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { createPreforkedPool, type PreforkedPool } from "../launch/preforked-pool";
import type { UidPool } from "../processes/user-ids";
import type { Isolation } from "../sandbox/isolation";
import { waitUntil } from "./wait-until";

const shared = new Map<UidPool, { preforked: PreforkedPool | null; isBroken: boolean }>();

/** Returns preforked launchers, of which one is idle, shared by all tests of a file that use these user ids. */
export async function sharePreforked(
  isolation: Isolation,
  uids: UidPool,
  slotCount = 2,
): Promise<PreforkedPool | null> {
  let found = shared.get(uids);
  if (found === undefined) {
    const parent = mkdtempSync(join(tmpdir(), "preforked-"));
    chmodSync(parent, 0o711);
    found = { preforked: null, isBroken: false };
    shared.set(uids, found);
    atFileEnd(() => {
      shared.delete(uids);
      found?.preforked?.close();
      rmSync(parent, { recursive: true, force: true });
    });
    const tell = () => {
      if (found) found.isBroken = true;
    };
    found.preforked = createPreforkedPool({
      isolation,
      uids,
      slotCount,
      parent,
      shown: [realpathSync(tmpdir())],
      tell,
    });
  }
  const { preforked } = found;
  if (preforked !== null) await waitUntil("an idle launcher", () => preforked.idle() > 0 || found.isBroken);
  return found.isBroken ? null : preforked;
}
