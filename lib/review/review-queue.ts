import { diffLines } from "diff";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { proposeClass } from "@/lib/policy/propose-class";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/settings";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { presentOwners } from "@/lib/skills/access/name-resolution";
import { countSignatures, openApprovals, whyNotApprove } from "@/lib/skills/approval/approval-round";
import { submitterOf } from "@/lib/skills/versions/get-version";
import { isNewSince, settledVersion, settles } from "@/lib/skills/versions/present-findings";
import { readBlob } from "@/lib/skills/versions/read-blob";
import { type FindingSeverity, VersionState } from "@/lib/skills/versions/schema";

import type { ReviewItem } from "./schema";

type File = { path: string; mode: string; sha256: string; size: number; isText: boolean };

type Side = { digest: string; files: File[] };

type Change = ReviewItem["change"];

const MAX_DIFF_BYTES = 256 * 1024;

const CACHE_SIZE = 1000;

/** Versions that wait for the caller's decision, signature or look at new findings, oldest first. */
export async function listReviews(ctx: Ctx, query: PageQuery): Promise<Page<ReviewItem>> {
  const actor = requireScope(ctx.actor, "read");
  const policy = await getSettings(ctx);
  const page = toPage(await findWaiting(ctx, actor, policy, query), query.limit, ({ row }) => row.id);
  return { items: await presentReviews(ctx, page.items, policy), nextCursor: page.nextCursor };
}

async function presentReviews(ctx: Ctx, waiting: Waiting[], policy: SigningPolicy): Promise<ReviewItem[]> {
  const owners = await presentOwners(
    ctx,
    waiting.map(({ row }) => row.skill),
  );
  const scans = await ctx.db.versionScan.findMany({
    where: { versionId: { in: waiting.map(({ row }) => row.id) } },
    select: { versionId: true, complete: true },
  });
  const active = await ctx.db.version.findMany({
    where: { id: { in: waiting.flatMap(({ row }) => row.skill.currentId ?? []) } },
    select: { id: true, digest: true, files: true },
  });
  return Promise.all(
    waiting.map((item) => {
      const { skill, id } = item.row;
      const isComplete = scans.find(({ versionId }) => versionId === id)?.complete;
      return present(ctx, item, policy, {
        owner: owners.get(skill.ownerKey) ?? { kind: "org", id: null, name: "" },
        scan: isComplete === undefined ? "pending" : isComplete ? "complete" : "incomplete",
        base: active.find((version) => version.id === skill.currentId) ?? null,
      });
    }),
  );
}

type Around = Pick<ReviewItem, "owner" | "scan"> & { base: Side | null };

async function present(
  ctx: Ctx,
  { row, reason }: Waiting,
  policy: SigningPolicy,
  { owner, scan, base }: Around,
): Promise<ReviewItem> {
  const { skill } = row;
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  const submittedAt = row.submittedAt ?? row.createdAt;
  const { approvals, needed } = countSignatures(row, policy);
  return {
    skill: { id: row.skillId, name: skill.name, label: manifest.label, description: manifest.description },
    digest: row.digest,
    number: row.number,
    state: VersionState.parse(row.state),
    class: SkillClass.parse(row.class ?? proposeClass(manifest, row.files).class),
    kind: manifest.kind,
    submittedAt: submittedAt.toISOString(),
    submittedBy: submitterOf(row),
    files: row.files.length,
    bytes: row.files.reduce((sum, file) => sum + file.size, 0),
    allowedTools: manifest.allowedTools,
    diagnostics: z.array(z.unknown()).parse(JSON.parse(row.diagnostics)).length,
    approvals: { given: approvals.length, needed },
    isUpdate: skill.currentId !== null && skill.currentId !== row.id,
    reason,
    returnedReason: row.state === "pending" ? row.returnedReason : null,
    owner,
    ageSeconds: Math.max(0, Math.floor((ctx.now().getTime() - submittedAt.getTime()) / 1000)),
    change: await measureChange(ctx, base, row),
    scan,
    severities: countOpen(row, policy, ctx.now()),
  };
}

function countOpen(row: WaitingVersion, policy: SigningPolicy, now: Date): ReviewItem["severities"] {
  const open = openFindings(row, policy, now);
  const count = (severity: FindingSeverity) => open.filter((finding) => finding.severity === severity).length;
  return { critical: count("critical"), high: count("high"), medium: count("medium"), info: count("info") };
}

/** Counts changed files and lines; lines only in files up to 256 KiB. Cached by the two digests. */
async function measureChange(ctx: Ctx, base: Side | null, version: Side): Promise<Change> {
  const known = processStore("measured-changes", () => new LRUCache<string, Change>({ max: CACHE_SIZE }));
  const key = `${base?.digest ?? ""} ${version.digest}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const change = await measure(ctx, base?.files ?? [], version.files);
  known.set(key, change);
  return change;
}

async function measure(ctx: Ctx, before: File[], after: File[]): Promise<Change> {
  const old = new Map(before.map((file) => [file.path, file]));
  const change: Change = { filesAdded: 0, filesRemoved: 0, filesChanged: 0, linesAdded: 0, linesRemoved: 0 };
  for (const file of after) {
    const was = old.get(file.path);
    old.delete(file.path);
    if (was && was.sha256 === file.sha256 && was.mode === file.mode) continue;
    if (was) change.filesChanged += 1;
    else change.filesAdded += 1;
    await countLines(ctx, was, file, change);
  }
  for (const file of old.values()) {
    change.filesRemoved += 1;
    await countLines(ctx, file, undefined, change);
  }
  return change;
}

async function countLines(ctx: Ctx, before: File | undefined, after: File | undefined, change: Change): Promise<void> {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.some((side) => !side.isText || side.size > MAX_DIFF_BYTES)) return;
  const texts = await Promise.all([textOf(ctx, before), textOf(ctx, after)]).catch(() => null);
  // Opening the version reports tampered bytes; the queue must not fail on them.
  if (texts === null) return;
  const [a, b] = texts;
  for (const part of diffLines(a, b, { timeout: 500 }) ?? []) {
    if (part.added) change.linesAdded += part.count;
    if (part.removed) change.linesRemoved += part.count;
  }
}

async function textOf(ctx: Ctx, file: File | undefined): Promise<string> {
  return file ? new TextDecoder().decode(await readBlob(ctx, file)) : "";
}

const withContext = {
  skill: { include: { versions: { select: { dismissals: true }, where: { dismissals: { some: {} } } } } },
  files: { orderBy: { path: "asc" } },
  decisions: { orderBy: { id: "asc" } },
  // Selects only what is counted, because texts are large.
  findings: { select: { fingerprint: true, severity: true, firstSeenAt: true, lineHash: true } },
} satisfies Prisma.VersionInclude;

export type WaitingVersion = Prisma.VersionGetPayload<{ include: typeof withContext }>;

export type Waiting = { row: WaitingVersion; reason: ReviewItem["reason"] };

const BATCH = 100;

/** The versions that wait for this person, oldest first, with at least one more than the limit. */
export async function findWaiting(
  ctx: Ctx,
  actor: PersonActor,
  policy: SigningPolicy,
  query: PageQuery,
): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  let last = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  while (waiting.length <= query.limit) {
    const ids = await findCandidates(ctx, actor, last ?? "");
    const batch: WaitingVersion[] = await ctx.db.version.findMany({
      where: { id: { in: ids } },
      orderBy: { id: "asc" },
      include: withContext,
    });
    waiting.push(
      ...batch.flatMap((row) => {
        const reason = reviewReasonOf(actor, row, policy, ctx.now());
        return reason === null ? [] : [{ row, reason }];
      }),
    );
    last = ids.at(-1) ?? last;
    if (ids.length < BATCH) break;
  }
  return waiting;
}

/** Starts from what is rare, which `CROSS JOIN` tells SQLite: 1 ms with 5,000 versions, where a condition on each took 30. */
const CANDIDATES = query<{ id: string }>(
  `SELECT DISTINCT v."id" FROM (
     SELECT "id", 1 AS "any" FROM "Version" WHERE "state" = 'pending'
     UNION ALL SELECT "versionId", 1 FROM "Decision" WHERE "standing" = 'open'
     UNION ALL SELECT f."versionId", 0 FROM "Finding" f CROSS JOIN "Version" w
       WHERE w."id" = f."versionId" AND f."severity" <> 'info' AND f."firstSeenAt" > w."decidedAt"
   ) c CROSS JOIN "Version" v CROSS JOIN "Skill" s
   WHERE v."id" = c."id" AND s."id" = v."skillId" AND v."id" > ? AND v."state" IN ('pending', 'approved') AND s."deletedAt" IS NULL
     AND (c."any" = 1 OR s."currentId" = v."id")
   ORDER BY v."id" LIMIT ?`,
);
const OWN_CANDIDATES = query<{ id: string }>(
  `SELECT v."id" FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
   WHERE v."id" > ? AND s."deletedAt" IS NULL AND s."ownerId" = ? AND v."state" = 'pending' ORDER BY v."id" LIMIT ?`,
);

/** Up to 100 versions after `last` that may wait; `reviewReasonOf` decides each. */
async function findCandidates(ctx: Ctx, actor: PersonActor, last: string): Promise<string[]> {
  const rows = hasScope(actor, "review")
    ? await sqlOf(ctx).all(CANDIDATES, last, BATCH)
    : await sqlOf(ctx).all(OWN_CANDIDATES, last, actor.userId, BATCH);
  return rows.map(({ id }) => id);
}

function openFindings(row: WaitingVersion, policy: SigningPolicy, now: Date): WaitingVersion["findings"] {
  const settled = settledVersion(row.skill, row, policy);
  const dismissals = row.skill.versions.flatMap((version) => version.dismissals);
  return row.findings.filter((finding) => !dismissals.some((dismissal) => settles(dismissal, finding, settled, now)));
}

function reviewReasonOf(
  actor: PersonActor,
  row: WaitingVersion,
  policy: SigningPolicy,
  now: Date,
): ReviewItem["reason"] | null {
  const maySign = () => whyNotApprove(actor, row.skill, row, policy) === null;
  if (row.state === "pending") return maySign() ? "decision" : null;
  if (openApprovals(row).length > 0 && maySign()) return "terms";
  const isOpen = openFindings(row, policy, now).some(
    (finding) => finding.severity !== "info" && isNewSince(row, finding.firstSeenAt),
  );
  return isOpen ? "new_findings" : null;
}

const MAX_COUNTED = 100;

/** The number of versions that wait for the caller, up to 100. */
export async function countReviews(ctx: Ctx): Promise<number> {
  const actor = requireScope(ctx.actor, "read");
  const waiting = await findWaiting(ctx, actor, await getSettings(ctx), { limit: MAX_COUNTED });
  return Math.min(MAX_COUNTED, waiting.length);
}
