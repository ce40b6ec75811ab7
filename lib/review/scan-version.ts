import { recordEvent } from "@/lib/audit/record-event";
import { parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { DRY_RUN_RULES } from "@/lib/policy/analysis/compare-declared";
import { SkillManifest } from "@/lib/skill-format/schema";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { describeFiles } from "./capabilities/read-capabilities";
import { rulesVersion } from "./rules/all-rules";
import { scanInThread } from "./scan/scan-files";
import type { ScanResult } from "./scan/schema";

/**
 * Scans the stored files of a version, and stores the findings and capabilities. Concurrent calls for one version share
 * a scan. Records new findings on an approved version in the audit log. Throws when the stored files cannot be read.
 */
export function scanVersion(ctx: Ctx, versionId: string): Promise<void> {
  const running = processStore("version-scans", () => new Map<string, Promise<void>>());
  const known = running.get(versionId);
  if (known !== undefined) return known;
  const system: Ctx = {
    database: ctx.database,
    db: ctx.database.reader,
    now: ctx.now,
    actor: { kind: "system", name: "Scan" },
    request: { requestId: null, address: null, userAgent: null },
  };
  const scan = scanAndStore(system, versionId).finally(() => running.delete(versionId));
  running.set(versionId, scan);
  return scan;
}

async function scanAndStore(ctx: Ctx, versionId: string): Promise<void> {
  const version = await ctx.db.version.findUnique({ where: { id: versionId }, include: { files: true } });
  if (!version) return;
  const files = await readVersionFiles(ctx, version);
  const before = parseJsonColumn(SkillManifest, version.manifest);
  const { scan: result, described } = await scanInThread(
    { files, unread: [], manifest: before },
    { rules: rulesVersion() },
  );
  const { manifest, ...card } = described ?? describeFiles(files, before);
  const carriesMore = JSON.stringify(before.carries) !== JSON.stringify(manifest.carries);
  const capabilities = JSON.stringify(card.capabilities);
  await inTransaction(ctx, async (tx, txCtx) => {
    const stored = {
      rulesVersion: result.rulesVersion,
      complete: result.complete,
      capabilities,
      scannedAt: ctx.now(),
      durationMs: Math.round(result.durationMs),
    };
    // Earlier releases did not store executables. A signed manifest must stay unchanged.
    if (carriesMore && (await tx.decision.count({ where: { versionId, statement: { not: null } } })) === 0) {
      await tx.version.update({ where: { id: versionId }, data: { manifest: JSON.stringify(manifest) } });
    }
    const isFirst = (await tx.versionScan.findUnique({ where: { versionId } })) === null;
    await tx.versionScan.upsert({ where: { versionId }, create: { versionId, ...stored }, update: stored });
    // Findings of the first scan date from the version's creation; only later ones are new.
    const fresh = await storeFindings(tx, versionId, result, isFirst ? version.createdAt : ctx.now());
    if (!isFirst && version.state === "approved" && fresh.length > 0)
      await recordNewFindings(tx, txCtx, versionId, fresh);
  });
}

type Found = ScanResult["findings"];

/** Replaces the findings of the last scan but keeps their first-seen times. Returns the new ones. */
async function storeFindings(tx: Tx, versionId: string, { findings }: ScanResult, at: Date): Promise<Found> {
  const ofScan = { versionId, rule: { not: { startsWith: DRY_RUN_RULES } } };
  const before = await tx.finding.findMany({ where: ofScan });
  const seen = new Map(before.map((row) => [row.fingerprint, row.firstSeenAt]));
  await tx.finding.deleteMany({ where: ofScan });
  await tx.finding.createMany({
    data: findings.map(({ endLine, ...finding }, position) => ({
      ...finding,
      endLine: endLine ?? null,
      versionId,
      position,
      firstSeenAt: seen.get(finding.fingerprint) ?? at,
    })),
  });
  return findings.filter((finding) => !seen.has(finding.fingerprint));
}

async function recordNewFindings(tx: Tx, ctx: Ctx, versionId: string, fresh: Found): Promise<void> {
  const { skill, digest } = await tx.version.findUniqueOrThrow({ where: { id: versionId }, include: { skill: true } });
  const rules = [...new Set(fresh.map(({ rule }) => rule))];
  await recordEvent(tx, ctx, {
    action: "version.rescan",
    concerns: skill.ownerId,
    summary: `found ${fresh.length} more in ${skill.name} ${digest.slice(0, 7)}, which is approved: ${rules.join(", ")}`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    versionDigest: digest,
    tool: skill.toolName,
    class: skill.class,
    data: { rules, findings: fresh.length },
  });
}

const BATCH = 10;
const MAX_BATCH_MS = 20_000;
const RETRY_MS = 10 * 60_000;

/** Scans pending and approved versions with the current rules, for up to 20 seconds; returns the number. */
export async function scanDueVersions(ctx: Ctx): Promise<number> {
  const { failed } = scanState();
  const endsAt = performance.now() + MAX_BATCH_MS;
  scanState().stopped = false;
  let scanned = 0;
  for (const [id, at] of failed) if (ctx.now().getTime() - at > RETRY_MS) failed.delete(id);
  for (;;) {
    const due = await findDue(ctx, [...failed.keys()]);
    for (const id of due) {
      if (scanState().stopped || performance.now() > endsAt) return scanned;
      try {
        await scanVersion(ctx, id);
        scanned += 1;
      } catch (err) {
        logger.error({ err, versionId: id }, "a version could not be scanned");
        failed.set(id, ctx.now().getTime());
      }
    }
    if (due.length < BATCH) return scanned;
  }
}

/** Starts no further scan; a running one finishes. */
export async function stopScanning(): Promise<void> {
  scanState().stopped = true;
}

function scanState() {
  return processStore("due-scans", () => ({ failed: new Map<string, number>(), stopped: false }));
}

/** Reads an index alone, for the usual case that all is scanned. Versions of deleted skills may be found, too. */
const ANY_DUE = query<{ id: string }>(
  `SELECT v."id" FROM "Version" v WHERE v."state" IN ('pending', 'approved')
     AND NOT EXISTS (SELECT 1 FROM "VersionScan" s WHERE s."versionId" = v."id" AND s."rulesVersion" = ?) LIMIT 1`,
);

async function findDue(ctx: Ctx, except: string[]): Promise<string[]> {
  if ((await ctx.database.readSql.get(ANY_DUE, rulesVersion())) === undefined) return [];
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
