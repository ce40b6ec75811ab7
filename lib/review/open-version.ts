import { setTimeout as delay } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { requireVersion } from "@/lib/skills/version-access";
import { diffVersions } from "@/lib/skills/versions/diff-versions";
import { getVersion } from "@/lib/skills/versions/get-version";
import type { Version, VersionDiff } from "@/lib/skills/versions/schema";
import { rulesVersion } from "./rules/all-rules";
import { scanVersion } from "./scan-version";

/** One version as a reviewer sees it, scanned first when it was not; the answer says when the scan is still pending. */
export async function openVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  await ensureScanned(ctx, idOrName, digest);
  return getVersion(ctx, idOrName, digest);
}

/**
 * What a version changes against another, or against the one that serves. Both are scanned first when they were not: hosts
 * and findings are known from scans only, and a draft whose new host is not told would look harmless.
 */
export async function openDiff(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  await ensureScanned(ctx, idOrName, digest);
  if (against !== undefined) await ensureScanned(ctx, idOrName, against);
  return diffVersions(ctx, idOrName, digest, against);
}

const SCAN_WAIT_MS = 8_000;

/**
 * Scans a version that was not scanned with today's rules. A scan that takes more than eight seconds goes on behind; a scan
 * that fails is logged, and the version stays as not scanned.
 */
export async function ensureScanned(ctx: Ctx, idOrName: string, digest: string): Promise<void> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  if (!needsRescan(scan?.rulesVersion ?? null)) return;
  const done = new AbortController();
  const scanning = scanVersion(ctx, version.id)
    .catch((err: unknown) => logger.error({ err, versionId: version.id }, "a version could not be scanned"))
    .finally(() => done.abort());
  await Promise.race([scanning, delay(SCAN_WAIT_MS, undefined, { signal: done.signal }).catch(() => undefined)]);
}

/** Whether what was scanned with these rules (null: never scanned) is due to be scanned again. */
function needsRescan(scannedWith: string | null): boolean {
  return scannedWith !== rulesVersion();
}
