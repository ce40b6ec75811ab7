import { atFileEnd } from "@/lib/testing/at-file-end";
import { hidesHost } from "../access/host-access";
import type { Isolation } from "../sandbox/isolation";
import { openStore, type SkillStore } from "../sandbox/open-store";

let opened: Promise<SkillStore | null> | null = null;

/** Adds a store of verified files as a worker opens it at its start, shared by all tests of a file. */
export async function shareStore<I extends Isolation>(isolation: I): Promise<I> {
  if (!hidesHost(isolation) || isolation.store !== undefined) return isolation;
  if (opened === null) {
    opened = openStore();
    void opened.then((store) =>
      atFileEnd(() => {
        opened = null;
        store?.close();
      }),
    );
  }
  return { ...isolation, store: await opened };
}
