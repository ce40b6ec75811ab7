import type { Tx } from "@/lib/db/context";

/** Means the caller’s own publisher wherever a handle is asked for. */
const RESERVED = "me";

type Wanted = { handle: string; publisherId: string; now: Date };

/** Whether a publisher may take a handle: nobody has it, and nobody else’s old addresses still lead through it. */
export async function isHandleFree(tx: Tx, { handle, publisherId, now }: Wanted): Promise<boolean> {
  if (handle === RESERVED) return false;
  const taken = await tx.publisher.findUnique({ where: { handle }, select: { id: true } });
  if (taken !== null && taken.id !== publisherId) return false;
  const former = await tx.formerHandle.findUnique({ where: { handle } });
  return former === null || former.publisherId === publisherId || former.until <= now;
}
