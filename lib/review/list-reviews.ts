import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { proposeClass } from "@/lib/policy/propose-class";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { highestClass, signaturesNeeded, signerOf, whyNotSign } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/get-settings";
import { SkillManifest } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/schema";
import { ORG } from "@/lib/skills/skill-access";
import type { ReviewItem } from "./schema";

const withContext = { skill: true, files: true, decisions: true } satisfies Prisma.VersionInclude;
type Row = Prisma.VersionGetPayload<{ include: typeof withContext }>;
const BATCH = 200;

/** Versions that wait for the caller's decision, the oldest first. */
export async function listReviews(ctx: Ctx, query: PageQuery): Promise<Page<ReviewItem>> {
  const actor = requireScope(ctx.actor, "read");
  const { soloMode } = await getSettings(ctx);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const waiting: Row[] = [];
  let last = after;
  while (waiting.length <= query.limit) {
    const batch: Row[] = await ctx.db.version.findMany({
      where: { state: "pending", ...ownedOrAny(actor), ...(last === null ? {} : { id: { gt: last } }) },
      orderBy: { id: "asc" },
      take: BATCH,
      include: withContext,
    });
    waiting.push(...batch.filter((row) => waitsFor(actor, row, soloMode)));
    last = batch.at(-1)?.id ?? last;
    if (batch.length < BATCH) break;
  }
  const page = toPage(waiting, query.limit, (row) => row.id);
  return { items: page.items.map((row) => present(row, soloMode)), nextCursor: page.nextCursor };
}

function ownedOrAny(actor: PersonActor): Prisma.VersionWhereInput {
  return { skill: { deletedAt: null, ...(hasScope(actor, "review") ? {} : { ownerKey: actor.userId }) } };
}

function waitsFor(actor: PersonActor, row: Row, soloMode: boolean): boolean {
  if (approvalsOf(row).some((decision) => decision.actorId === actor.userId)) return false;
  const ownerKey = row.skill.ownerKey;
  const reason = whyNotSign({
    highest: highestOf(row),
    soloMode,
    signer: signerOf(actor),
    authorId: row.createdById,
    owner: ownerKey === ORG ? { kind: "org", id: null } : { kind: "user", id: ownerKey },
  });
  return reason === null;
}

function approvalsOf(row: Row): Row["decisions"] {
  const since = row.submittedAt ?? row.createdAt;
  return row.decisions.filter((decision) => decision.decision === "approve" && decision.createdAt >= since);
}

function highestOf(row: Row) {
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  return highestClass(manifest.declaredClass, proposeClass(manifest, row.files).class);
}

function present(row: Row, soloMode: boolean): ReviewItem {
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  return {
    skill: { id: row.skillId, name: row.skill.name, label: manifest.label, description: manifest.description },
    digest: row.digest,
    number: row.number,
    state: VersionState.parse(row.state),
    class: proposeClass(manifest, row.files).class,
    kind: manifest.kind,
    submittedAt: (row.submittedAt ?? row.createdAt).toISOString(),
    submittedBy: { id: row.createdById, name: row.createdByName },
    files: row.files.length,
    bytes: row.files.reduce((sum, file) => sum + file.size, 0),
    allowedTools: manifest.allowedTools,
    diagnostics: z.array(z.unknown()).parse(JSON.parse(row.diagnostics)).length,
    approvals: { given: approvalsOf(row).length, needed: signaturesNeeded(highestOf(row), soloMode) },
    isUpdate: row.skill.currentId !== null,
  };
}
