import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { rulesVersion } from "./scan/rules-version";
import { scanVersion } from "./scan-version";

const BATCH = 10;
const TURN_MS = 20_000;
const RETRY_MS = 10 * 60_000;

/**
 * Scans versions that wait for review or are approved and were never scanned, or with other rules than these, one after
 * another for at most 20 seconds. Answers how many. One that cannot be read is left alone for ten minutes.
 */
export async function scanDueVersions(ctx: Ctx): Promise<number> {
  const { failed } = memory();
  const endsAt = performance.now() + TURN_MS;
  memory().stopped = false;
  let scanned = 0;
  for (const [id, at] of failed) if (ctx.now().getTime() - at > RETRY_MS) failed.delete(id);
  for (;;) {
    const due = await findDue(ctx, [...failed.keys()]);
    for (const id of due) {
      if (memory().stopped || performance.now() > endsAt) return scanned;
      if (await attempt(ctx, id)) scanned += 1;
      else failed.set(id, ctx.now().getTime());
    }
    if (due.length < BATCH) return scanned;
  }
}

/** No further version is begun; the scan under way ends by itself. */
export async function stopScanning(): Promise<void> {
  memory().stopped = true;
}

function memory() {
  return processStore("due-scans", () => ({ failed: new Map<string, number>(), stopped: false }));
}

async function findDue(ctx: Ctx, except: string[]): Promise<string[]> {
  const rows = await ctx.database.reader.version.findMany({
    where: {
      state: { in: ["pending", "approved"] },
      skill: { deletedAt: null },
      id: { notIn: except },
      OR: [{ scan: null }, { scan: { rulesVersion: { not: rulesVersion() } } }],
    },
    orderBy: { submittedAt: "desc" },
    take: BATCH,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

async function attempt(ctx: Ctx, versionId: string): Promise<boolean> {
  try {
    await scanVersion(ctx, versionId);
    return true;
  } catch (err) {
    logger.error({ err, versionId }, "a version could not be scanned");
    return false;
  }
}
