import PQueue from "p-queue";
import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip, writeZipOfFolders } from "@/lib/skill-format/export/write-archive";
import { writeSpec } from "@/lib/skill-format/export/write-spec";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { assertStepsAllowed } from "@/lib/skills/pipeline/plan-pipeline";
import { listedTo, personaFilter, readFiltered } from "../access/list-filters";
import { publishersOf } from "../community/publishers";
import { requireSkill, type SkillRow } from "../skill-access";
import { requireVersion, type VersionRow, withFilesAndDecisions } from "../version-access";
import { assertAgentMayRead, isWithheld, mayAgentRead } from "../versions/agent-file-access";
import { readVersionFiles } from "../versions/read-blob";
import type { BulkExportQuery, ExportManifest, ExportQuery } from "./schema";

type ExportedSkill = {
  filename: string;
  contentType: "text/markdown" | "application/zip";
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  /** Number of scripts withheld from an agent, because no reviewer granted them. */
  withheld: number;
};

const MAX_SKILLS = 500;

/** Maximum stored bytes per export; they are held in memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** In a process. The others wait, and leave when their client does. */
const AT_ONCE = 2;
const MAX_WAITING = 10;
const RETRY_SECONDS = 60;

export type BulkExport = { filename: string; bytes: Uint8Array<ArrayBuffer>; manifest: ExportManifest };

/**
 * Exports skills as a zip that can be imported again: a folder each with the stored bytes of the active version, else
 * the pending or newest, and `skillgate-export.json` with the digests. `too_large` over 500 skills or 64 MiB. Agents
 * get only approved versions, without scripts that no reviewer granted. Two exports at once; `unavailable` when ten wait.
 */
export async function exportSkills(
  ctx: Ctx,
  query: BulkExportQuery,
  { signal }: { signal?: AbortSignal } = {},
): Promise<BulkExport> {
  const exports = processStore("bulk-exports", () => new PQueue({ concurrency: AT_ONCE }));
  if (exports.size >= MAX_WAITING) {
    throw new AppError("unavailable", `${MAX_WAITING} other exports are waiting already. Try again in a minute.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  return exports.add(() => writeExport(ctx, query), signal ? { signal } : {});
}

async function writeExport(ctx: Ctx, query: BulkExportQuery): Promise<BulkExport> {
  const actor = requireScope(ctx.actor, "read");
  const rows = await chooseSkills(ctx, actor, query.skills);
  const versions = await readVersions(ctx, rows);
  const publishers = await publishersOf(ctx, rows);
  const { instanceName } = await getSettings(ctx);
  const manifest: ExportManifest = {
    format: "skillgate-export-1",
    instance: instanceName,
    exportedAt: ctx.now().toISOString(),
    skills: [],
    left: [],
  };
  const folders: { folder: string; files: SkillFile[] }[] = [];
  const taken = new Set<string>();
  let bytes = 0;
  for (const row of rows) {
    const version = versions.get(row.id);
    if (version === undefined || !mayAgentRead(ctx.actor, version)) {
      const reason = version === undefined ? "it has no version" : "no version is approved";
      manifest.left.push({ id: row.id, name: row.name, reason });
      continue;
    }
    const served = version.files.filter((file) => !isWithheld(ctx.actor, version, file));
    bytes += served.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES) {
      throw new AppError(
        "too_large",
        "These skills are larger than 64 MiB in total, the limit of one export. Choose fewer skills.",
      );
    }
    const files = await readVersionFiles(ctx, { files: served }).catch(unlessTampered);
    if (files === null) {
      logger.warn(
        { skillId: row.id, digest: version.digest },
        "an export skipped a skill whose stored files were changed",
      );
      const reason = "its stored files do not match its digest";
      manifest.left.push({ id: row.id, name: row.name, reason });
      continue;
    }
    const folder = freeFolder(row, taken);
    folders.push({ folder, files });
    manifest.skills.push({
      id: row.id,
      name: row.name,
      folder,
      publisher: publishers.get(row.ownerKey)?.handle ?? "",
      version: version.number,
      digest: version.digest,
      state: version.state,
      withheld: version.files.length - served.length,
      files: served.map(({ path, mode, sha256, size }) => ({ path, mode, sha256, size })),
    });
  }
  const zip = await writeZipOfFolders(folders, { "skillgate-export.json": `${JSON.stringify(manifest, null, 2)}\n` });
  await recordExport(ctx, manifest);
  return { filename: `skills-${manifest.exportedAt.slice(0, 10)}.zip`, bytes: zip, manifest };
}

async function readVersions(ctx: Ctx, rows: SkillRow[]): Promise<Map<string, VersionRow>> {
  const named = rows.flatMap((row) => row.currentId ?? row.pendingId ?? []);
  const unnamed = rows.flatMap((row) => (row.currentId === null && row.pendingId === null ? row.id : []));
  const newest = await ctx.db.version.findMany({
    where: { skillId: { in: unnamed } },
    orderBy: { number: "desc" },
    distinct: ["skillId"],
    select: { id: true },
  });
  const versions = await ctx.db.version.findMany({
    where: { id: { in: [...named, ...newest.map(({ id }) => id)] } },
    include: withFilesAndDecisions,
  });
  return new Map(versions.map((version) => [version.skillId, version]));
}

/** A changed file must not stop the export of the other skills. */
function unlessTampered(error: unknown): null {
  if (error instanceof AppError && error.code === "version_tampered") return null;
  throw error;
}

function freeFolder({ slug }: SkillRow, taken: Set<string>): string {
  let folder = slug;
  for (let number = 2; taken.has(folder); number += 1) folder = `${slug}-${number}`;
  taken.add(folder);
  return folder;
}

async function recordExport(ctx: Ctx, { skills, left }: ExportManifest): Promise<void> {
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "skill.export",
      summary: `exported ${skills.length} skills in one file`,
      data: { skills: skills.map(({ id, digest }) => ({ id, digest })), left: left.length },
    }),
  );
}

/** The chosen skills, or all visible ones by name. `too_large` for more than 500. */
async function chooseSkills(ctx: Ctx, actor: PersonActor, wanted: string[] | undefined): Promise<SkillRow[]> {
  if (wanted !== undefined) {
    if (wanted.length > MAX_SKILLS) throw tooMany();
    const rows: SkillRow[] = [];
    for (const idOrName of wanted) {
      const row = await requireSkill(ctx, idOrName);
      await assertStepsAllowed(ctx, row);
      rows.push(row);
    }
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  }
  const isShown = await personaFilter(ctx, actor);
  const shown = await readFiltered<SkillRow, string>(MAX_SKILLS + 1, null, {
    readPage: (after) =>
      ctx.db.skill.findMany({
        where: listedTo(actor),
        orderBy: [{ slug: "asc" }, { id: "asc" }],
        include: { current: true, pending: true },
        take: MAX_SKILLS + 1,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 }),
      }),
    positionOf: ({ id }) => id,
    isShown,
  });
  if (shown.length > MAX_SKILLS) throw tooMany();
  return shown;
}

function tooMany(): AppError {
  return new AppError(
    "too_large",
    `You chose more than ${MAX_SKILLS} skills, the limit of one export. Choose fewer skills.`,
  );
}

/**
 * Exports a version as its single SKILL.md, or as a zip with a folder of the skill's name. `original` has the stored
 * bytes, `spec` a standard SKILL.md. Default: the active version, else the pending or newest. Agents get only approved
 * versions (`not_approved`), without scripts that no reviewer granted.
 */
export async function exportSkill(ctx: Ctx, idOrName: string, query: ExportQuery): Promise<ExportedSkill> {
  const skill = await requireSkill(ctx, idOrName);
  const digest = query.version ?? skill.current?.digest ?? skill.pending?.digest ?? (await newestDigest(ctx, skill.id));
  const { version } = await requireVersion(ctx, skill.id, digest);
  await assertStepsAllowed(ctx, skill);
  assertAgentMayRead(ctx.actor, skill, version);
  const served = version.files.filter((file) => !isWithheld(ctx.actor, version, file));
  const withheld = version.files.length - served.length;
  const stored = await readVersionFiles(ctx, { files: served });
  const folder = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(skill.name) ? skill.name : skill.slug;
  const files = query.as === "spec" ? writeSpec(stored, readSkill(stored, { folder }).manifest).files : stored;
  const etag = sha256Hex(`${version.digest} ${query.as} ${withheld}`);
  return { ...(await pack(folder, files)), etag, withheld };
}

async function pack(folder: string, files: SkillFile[]): Promise<Omit<ExportedSkill, "etag" | "withheld">> {
  const [only] = files;
  if (files.length === 1 && only?.path === "SKILL.md" && only.mode === "644") {
    return { filename: "SKILL.md", contentType: "text/markdown", bytes: new Uint8Array(only.bytes) };
  }
  const bytes = await writeZip(folder, files);
  return { filename: `${folder}.zip`, contentType: "application/zip", bytes };
}

async function newestDigest(ctx: Ctx, skillId: string): Promise<string> {
  const newest = await ctx.db.version.findFirst({ where: { skillId }, orderBy: { number: "desc" } });
  if (!newest) throw new AppError("not_found", "This skill has no version.");
  return newest.digest;
}
