import { setTimeout as delay } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { requireVersion } from "@/lib/skills/version-access";
import { rulesVersion } from "./scan/rules-version";
import { scanVersion } from "./scan-version";

const PATIENCE_MS = 8_000;

/**
 * Scans a version that was not scanned with today's rules. A scan that takes more than eight seconds goes on behind; a scan
 * that fails is logged, and the version stays as not scanned.
 */
export async function scanFirst(ctx: Ctx, idOrName: string, digest: string): Promise<void> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  if (!needsRescan(scan?.rulesVersion ?? null)) return;
  const done = new AbortController();
  const scanning = scanVersion(ctx, version.id)
    .catch((err: unknown) => logger.error({ err, versionId: version.id }, "a version could not be scanned"))
    .finally(() => done.abort());
  await Promise.race([scanning, delay(PATIENCE_MS, undefined, { signal: done.signal }).catch(() => undefined)]);
}

/** Whether what was scanned with these rules (null: never scanned) is due to be scanned again. */
function needsRescan(scannedWith: string | null): boolean {
  return scannedWith !== rulesVersion();
}
