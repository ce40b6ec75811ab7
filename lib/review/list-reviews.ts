import { diffLines } from "diff";
import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { toPage } from "@/lib/db/cursor";
import { proposeClass } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/get-settings";
import { SkillManifest } from "@/lib/skill-format/schema";
import { presentOwners } from "@/lib/skills/access/present-owners";
import { countSignatures } from "@/lib/skills/standing/approval-round";
import { submitterOf } from "@/lib/skills/versions/get-version";
import { readBlob } from "@/lib/skills/versions/read-blob";
import { type FindingSeverity, VersionState } from "@/lib/skills/versions/schema";
import type { Waiting, WaitingVersion } from "./find-waiting";
import { findWaiting } from "./find-waiting";
import type { ReviewItem } from "./schema";

type File = { path: string; mode: string; sha256: string; size: number; isText: boolean };

type Side = { digest: string; files: File[] };

type Change = ReviewItem["change"];

const MAX_DIFF_BYTES = 256 * 1024;

const REMEMBERED = 1000;

/** Versions that wait for the caller: for a decision, for more signatures, or for a look at new findings. Oldest first. */
export async function listReviews(ctx: Ctx, query: PageQuery): Promise<Page<ReviewItem>> {
  const actor = requireScope(ctx.actor, "read");
  const policy = await getSettings(ctx);
  const page = toPage(await findWaiting(ctx, actor, policy, query), query.limit, ({ row }) => row.id);
  return { items: await presentReviews(ctx, page.items, policy), nextCursor: page.nextCursor };
}

/** Rows of the queue as the API gives them. */
async function presentReviews(ctx: Ctx, waiting: Waiting[], policy: SigningPolicy): Promise<ReviewItem[]> {
  const owners = await presentOwners(
    ctx,
    waiting.map(({ row }) => row.skill),
  );
  return Promise.all(waiting.map((item) => present(ctx, item, policy, owners)));
}

async function present(
  ctx: Ctx,
  { row, reason }: Waiting,
  policy: SigningPolicy,
  owners: Awaited<ReturnType<typeof presentOwners>>,
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
    class: proposeClass(manifest, row.files).class,
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
    owner: owners.get(skill.ownerKey) ?? { kind: "org", id: null, name: "" },
    ageSeconds: Math.max(0, Math.floor((ctx.now().getTime() - submittedAt.getTime()) / 1000)),
    change: await measureChange(ctx, skill.current, row),
    scan: row.scan === null ? "pending" : row.scan.complete ? "complete" : "incomplete",
    severities: countOpen(row),
  };
}

function countOpen(row: WaitingVersion): ReviewItem["severities"] {
  const dismissed = new Set(row.dismissals.map(({ fingerprint }) => fingerprint));
  const open = row.findings.filter(({ fingerprint }) => !dismissed.has(fingerprint));
  const count = (severity: FindingSeverity) => open.filter((finding) => finding.severity === severity).length;
  return { critical: count("critical"), high: count("high"), medium: count("medium"), info: count("info") };
}

/**
 * How much a version changes against the approved one, or against nothing. Lines are counted in text files of at most
 * 256 KiB; larger ones count as files only. Two digests always have the same answer, so it is remembered.
 */
async function measureChange(ctx: Ctx, base: Side | null, version: Side): Promise<Change> {
  const known = processStore("measured-changes", () => new Map<string, Change>());
  const key = `${base?.digest ?? ""} ${version.digest}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const change = await measure(ctx, base?.files ?? [], version.files);
  if (known.size >= REMEMBERED) known.delete(known.keys().next().value ?? key);
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
  // Bytes that were changed in storage: opening the version says so; the queue must not fail on it.
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
