import { CHAIN_COLUMNS, EVENT_COLUMNS, readChains } from "@/lib/audit/chain/chain-events";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { loadSigningKey } from "@/lib/core/signing-key";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { jsonList, query } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { findUnservable } from "@/lib/skills/approval/check-servable";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { type VersionRow, withFilesAndDecisions } from "@/lib/skills/version-access";
import { readBlob } from "@/lib/skills/versions/read-blob";
import { exportAnalyses } from "../analysis/list-analyses";
import {
  BUNDLE_FORMAT,
  type BundleManifest,
  BundleVersion,
  MAX_BUNDLE_BYTES,
  MAX_VERSION_RECORD_BYTES,
  MAX_VERSIONS,
  nameOfVersion,
} from "./format";
import { signManifest } from "./signed-manifest";

export type BundleToWrite = {
  manifest: BundleManifest;
  /** All bytes of the bundle, in order. Throws `version_tampered` when stored bytes differ from their digest. */
  chunks: AsyncGenerator<Uint8Array>;
};

/**
 * Exports skills with all their versions except drafts, files, decisions, signatures, dry runs and audited events as a
 * bundle that this instance signs. `skills` are ids or names; null exports every skill except those of workers. For
 * admins. Throws `conflict` for two skills of one name and for an approval that does not verify, and `too_large` above
 * the limits of a bundle. Records the export.
 */
export async function writeBundle(ctx: Ctx, { skills }: { skills: string[] | null }): Promise<BundleToWrite> {
  const actor = requireScope(ctx.actor, "admin");
  const rows = await chooseSkills(ctx, skills);
  const records: string[] = [];
  const versions: BundleManifest["versions"] = [];
  const files = new Map<string, { bytes: number; path: string; versionId: string }>();
  for (const skill of rows) {
    for (const version of await readVersions(ctx, skill)) {
      await loopTurn();
      for (const { sha256, size, path } of version.row.files) {
        files.set(sha256, { bytes: size, path, versionId: version.row.id });
      }
      const record = writeRecord(version.record);
      const bytes = Buffer.byteLength(record, "utf8");
      const name = nameOfVersion(version.record);
      if (bytes > MAX_VERSION_RECORD_BYTES)
        throw tooLarge(`${name} has more decisions and dry runs than one bundle may have`);
      records.push(record);
      versions.push({ kind: "version", name, bytes, sha256: sha256Hex(record) });
    }
  }
  if (versions.length === 0) throw new AppError("not_found", "The chosen skills have no version that can be exported.");
  if (versions.length > MAX_VERSIONS) throw tooLarge(`it would have ${versions.length} versions`);
  const total = [...versions, ...files.values()].reduce((sum, { bytes }) => sum + bytes + 1, 0);
  if (total > MAX_BUNDLE_BYTES) throw tooLarge(`it would have ${total} bytes`);
  const key = await loadSigningKey(ctx.database.keyFolder);
  const manifest: BundleManifest = {
    format: BUNDLE_FORMAT,
    instance: { name: (await getSettings(ctx)).instanceName, keyId: key.keyId, publicKey: key.publicPem },
    exportedAt: ctx.now().toISOString(),
    exportedBy: { id: actor.userId, name: actor.name },
    audit: await readAuditEnd(ctx),
    versions,
    files: [...files].map(([sha256, { bytes }]) => ({ kind: "file", bytes, sha256 })),
  };
  const line = signManifest(key, manifest);
  await recordExport(ctx, manifest, { skills: rows.length, bundle: sha256Hex(line) });
  return { manifest, chunks: writeChunks(ctx, line, records, files) };
}

/** Refuses at the export what no import accepts. */
function writeRecord(version: BundleVersion): string {
  const parsed = BundleVersion.safeParse(version);
  if (parsed.success) return JSON.stringify(parsed.data);
  const [issue] = parsed.error.issues;
  const where = `${issue?.path.join(".")}: ${issue?.message}`;
  throw new AppError("conflict", `${nameOfVersion(version)} cannot be exported (${where}). Export the other skills.`);
}

const LINE_FEED = Buffer.from("\n");

async function* writeChunks(
  ctx: Ctx,
  line: string,
  records: string[],
  files: ReadonlyMap<string, { path: string; versionId: string }>,
): AsyncGenerator<Uint8Array> {
  for (const text of [line, ...records]) yield Buffer.from(`${text}\n`, "utf8");
  for (const [sha256, { path, versionId }] of files) {
    yield await readBlob(ctx, { sha256, path, versionId });
    yield LINE_FEED;
  }
}

async function chooseSkills(ctx: Ctx, wanted: string[] | null): Promise<SkillRow[]> {
  const where = { deletedAt: null, source: { not: "worker" } };
  const include = { current: true, pending: true };
  const rows =
    wanted === null
      ? await ctx.db.skill.findMany({ where, include, orderBy: [{ slug: "asc" }, { id: "asc" }] })
      : await Promise.all(wanted.map((idOrName) => requireSkill(ctx, idOrName)));
  const chosen = [...new Map(rows.map((row) => [row.id, row])).values()];
  const bySlug = new Map<string, SkillRow>();
  for (const row of chosen) {
    const twin = bySlug.get(row.slug);
    if (twin !== undefined) {
      throw new AppError(
        "conflict",
        `Two of these skills are named “${row.name}” (${twin.id} and ${row.id}). A bundle has each name once: export one of them by its id.`,
      );
    }
    bySlug.set(row.slug, row);
  }
  return chosen;
}

async function readVersions(ctx: Ctx, skill: SkillRow): Promise<{ row: VersionRow; record: BundleVersion }[]> {
  const rows = await ctx.db.version.findMany({
    where: { skillId: skill.id, state: { not: "draft" } },
    include: withFilesAndDecisions,
    orderBy: { number: "asc" },
  });
  const approved = rows.filter(({ state }) => state === "approved");
  const problems = await findUnservable(
    ctx,
    approved.map((version) => ({ skill, version })),
  );
  const events = await readEventsOf(ctx, skill.id);
  const versions: { row: VersionRow; record: BundleVersion }[] = [];
  for (const row of rows) {
    const problem = problems.get(row.id);
    if (problem !== undefined) {
      throw new AppError(
        "conflict",
        `“${skill.name}” cannot be exported: the approval of version ${row.number} does not verify, because ${problem}.`,
      );
    }
    versions.push({ row, record: await describeVersion(ctx, skill, row, events.get(row.digest) ?? []) });
  }
  return versions;
}

type Events = BundleVersion["events"];

async function describeVersion(ctx: Ctx, skill: SkillRow, row: VersionRow, events: Events): Promise<BundleVersion> {
  return {
    skill: { id: skill.id, ownerKey: skill.ownerKey, slug: skill.slug, name: skill.name },
    number: row.number,
    digest: row.digest,
    state: row.state as BundleVersion["state"],
    isActive: skill.currentId === row.id,
    class: row.class as BundleVersion["class"],
    ...{ grants: row.grants, entry: row.entry, subject: row.subject },
    ...{ manifest: row.manifest, provenance: row.provenance, changelog: row.changelog },
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdById, name: row.createdByName },
    submittedBy: row.submittedById === null ? null : { id: row.submittedById, name: row.submittedByName ?? "" },
    files: row.files.map(({ path, mode, sha256, size }) => ({ path, mode: mode as "644" | "755", sha256, size })),
    decisions: row.decisions.map((decision) => ({
      id: decision.id,
      decision: decision.decision as BundleVersion["decisions"][number]["decision"],
      comment: decision.comment,
      class: decision.class as BundleVersion["class"],
      ...{ grants: decision.grants, entry: decision.entry, subject: decision.subject },
      actor: { id: decision.actorId, name: decision.actorName },
      soloMode: decision.soloMode,
      createdAt: decision.createdAt.toISOString(),
      standing: decision.standing as BundleVersion["decisions"][number]["standing"],
      ...{ subjectJson: decision.subjectJson, statement: decision.statement, signature: decision.signature },
      ...{ keyId: decision.keyId, tier: decision.tier },
    })),
    events,
    analyses: await exportAnalyses(ctx, row.id),
  };
}

/** What is proved of a version: its decisions, and the digests of its dry runs. */
const ACTIONS = [
  "version.approve",
  "version.request_changes",
  "version.reject",
  "version.revoke",
  "version.returned",
  "version.activate",
  "analysis.finished",
];
const eventsIn = (list: string) =>
  `SELECT ${[...EVENT_COLUMNS, ...CHAIN_COLUMNS].map((name) => `"${name}"`).join(", ")} FROM "AuditEvent"
   WHERE "skillId" = ? AND "action" IN ${list} ORDER BY "seq"`;
const EVENTS = query<{ versionDigest: string | null }>({
  sqlite: eventsIn(jsonList("sqlite")),
  postgresql: eventsIn(jsonList("postgresql")),
});

async function readEventsOf(ctx: Ctx, skillId: string): Promise<Map<string, Events>> {
  const byDigest = new Map<string, Events>();
  for (const row of await ctx.database.readSql.all(EVENTS, skillId, JSON.stringify(ACTIONS))) {
    const digest = row.versionDigest ?? "";
    // Times become text, as in an export of the audit log.
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), JSON.parse(JSON.stringify(row))]);
  }
  return byDigest;
}

const LAST_SEGMENT = query<{ manifest: string }>(`SELECT "manifest" FROM "AuditSegment" ORDER BY "toSeq" DESC LIMIT 1`);

async function readAuditEnd(ctx: Ctx): Promise<BundleManifest["audit"]> {
  const chains = await readChains(ctx.database.readSql);
  const segment = await ctx.database.readSql.get(LAST_SEGMENT);
  const sealed: { lastAt?: string } = segment === undefined ? {} : JSON.parse(segment.manifest);
  return {
    chains: chains.flatMap(({ chain, place, hash }) => (hash === null ? [] : [{ chain, place, hash }])),
    sealedUntil: sealed.lastAt === undefined ? null : new Date(sealed.lastAt).toISOString(),
  };
}

async function recordExport(ctx: Ctx, manifest: BundleManifest, data: { skills: number; bundle: string }) {
  const { versions, files } = manifest;
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "bundle.export",
      summary: `exported ${data.skills} ${data.skills === 1 ? "skill" : "skills"} as a bundle`,
      target: { kind: "bundle", id: data.bundle, name: data.bundle.slice(0, 12) },
      data: { ...data, versions: versions.length, files: files.length },
    }),
  );
}

function tooLarge(what: string): AppError {
  return new AppError("too_large", `These skills do not fit into one bundle: ${what}. Choose fewer skills.`);
}
