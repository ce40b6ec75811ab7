import { setTimeout as delay } from "node:timers/promises";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { requireVersion } from "@/lib/skills/version-access";
import { assertAgentMayRead } from "@/lib/skills/versions/agent-file-access";
import { diffVersions } from "@/lib/skills/versions/diff-versions";
import { getVersion } from "@/lib/skills/versions/get-version";
import type { Version, VersionDiff } from "@/lib/skills/versions/schema";
import { rulesVersion } from "./rules/all-rules";
import { scanVersion } from "./scan-version";

/**
 * Returns a version for a reviewer. Scans it first if needed, and says when that scan is still pending. `not_approved` for
 * agents, unless it is approved: the manifest has the text of a playbook.
 */
export async function openVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  assertAgentMayRead(ctx.actor, skill, version);
  await scanIfNeeded(ctx, version.id);
  return getVersion(ctx, idOrName, digest);
}

/** Compares two versions. Scans both first, because only scans know hosts and findings. */
export async function openDiff(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  await ensureScanned(ctx, idOrName, digest);
  if (against !== undefined) await ensureScanned(ctx, idOrName, against);
  return diffVersions(ctx, idOrName, digest, against);
}

const SCAN_WAIT_MS = 8_000;

/** Scans a version unless the current rules have. Waits up to 8 seconds, then the scan continues alone. */
export async function ensureScanned(ctx: Ctx, idOrName: string, digest: string): Promise<void> {
  const { version } = await requireVersion(ctx, idOrName, digest);
  await scanIfNeeded(ctx, version.id);
}

async function scanIfNeeded(ctx: Ctx, versionId: string): Promise<void> {
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId } });
  if (scan?.rulesVersion === rulesVersion()) return;
  const done = new AbortController();
  const scanning = scanVersion(ctx, versionId)
    .catch((err: unknown) => logger.error({ err, versionId }, "a version could not be scanned"))
    .finally(() => done.abort());
  await Promise.race([scanning, delay(SCAN_WAIT_MS, undefined, { signal: done.signal }).catch(() => undefined)]);
}
