import { basename } from "node:path";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { digestFiles } from "@/lib/skill-format/digest-files";
import { readSkill } from "@/lib/skill-format/read-skill";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { acceptableFiles } from "@/lib/skills/files-from-input";
import { ORG } from "@/lib/skills/skill-access";
import { type ReadSkill, storeVersion } from "@/lib/skills/store-version";
import type { InventoryItem } from "@/lib/worker/protocol";

/** A folder of a worker as what it became here. */
export type OfferedSkill = {
  item: InventoryItem;
  name: string;
  skillId: string;
  versionId: string;
  versionDigest: string;
};

type Offering = { id: string; name: string; manager: boolean };

/**
 * A folder of a worker as a pending version of the organisation's skill of that name, unless these bytes are one already;
 * else the problem, as the log of the worker says it. `before` are the skills this inventory has already. A name that
 * belongs to a skill which came another way stays with that one.
 */
export async function storeOffered(
  ctx: Ctx,
  worker: Offering,
  item: InventoryItem,
  before: OfferedSkill[],
): Promise<OfferedSkill | { problem: string }> {
  const versionDigest = digestFiles(item.files);
  const known = await findKnown(ctx, versionDigest);
  if (known && before.every(({ skillId }) => skillId !== known.skillId)) {
    return { item, name: known.skill.name, skillId: known.skillId, versionId: known.id, versionDigest };
  }
  try {
    const read = await readItem(ctx, worker, item);
    const wrong = read.diagnostics.find(({ severity }) => severity === "error");
    if (wrong) return { problem: `parse ${item.path}: ${wrong.message}` };
    const { name, slug } = read.manifest;
    return await inTransaction(ctx, async (tx, txCtx) => {
      const taken = await tx.skill.findFirst({ where: { ownerKey: ORG, liveSlug: slug } });
      const isOthers = taken !== null && (taken.source !== "worker" || before.some((one) => one.skillId === taken.id));
      if (isOthers) return { problem: `skill "${name}" already registered, skipping ${item.path}` };
      const { skillId, versionId } = await store(tx, txCtx, worker, item, read);
      return { item, name, skillId, versionId, versionDigest };
    });
  } catch (error) {
    if (error instanceof AppError) return { problem: `parse ${item.path}: ${error.message}` };
    throw error;
  }
}

/** Bytes that are a worker's skill already need not be read again. */
function findKnown(ctx: Ctx, digest: string) {
  return ctx.db.version.findFirst({
    where: { digest, state: { not: "draft" }, skill: { source: "worker", ownerKey: ORG, deletedAt: null } },
    include: { skill: { select: { name: true } } },
  });
}

async function readItem(ctx: Ctx, worker: Offering, item: InventoryItem): Promise<ReadSkill> {
  const files: SkillFile[] = [];
  for (const { path, mode, sha256 } of item.files) {
    const blob = await ctx.db.blob.findUnique({ where: { sha256 }, select: { bytes: true } });
    if (!blob || sha256Hex(blob.bytes) !== sha256) throw new AppError("not_found", `${path} is not here`);
    files.push({ path, mode, bytes: blob.bytes });
  }
  const folder = basename(item.path);
  const read: ReadSkill = { folder, files: acceptableFiles(files), ...readSkill(files, { folder }) };
  read.manifest.scope = scopeOf(worker, item, read);
  return read;
}

/**
 * Where it runs is not its author's word: what came with the worker says so itself and is for hosts unless it does, and an
 * executable of an operator's directory is for the machine that it lies on, which is the server's for a manager worker.
 */
function scopeOf(
  { manager }: Offering,
  { kind }: InventoryItem,
  { manifest, files }: ReadSkill,
): SkillManifest["scope"] {
  if (kind === "builtin") return declaresManager(files) ? "manager" : "host";
  if (manifest.entry === null) return manifest.scope;
  return manager ? "manager" : "host";
}

/** The reader gives every pack the scope manager, so the file itself is asked. */
function declaresManager(files: SkillFile[]): boolean {
  const file = files.find(({ path }) => path === "skill.json");
  if (!file) return false;
  const values: unknown = JSON.parse(new TextDecoder().decode(file.bytes));
  return typeof values === "object" && values !== null && "scope" in values && values.scope === "manager";
}

async function store(tx: Tx, ctx: Ctx, worker: Offering, item: InventoryItem, read: ReadSkill) {
  const stored = await storeVersion(
    tx,
    ctx,
    { userId: worker.id, name: worker.name },
    {
      ...{ read, ownerKey: ORG, source: "worker", state: "pending" },
      provenance: { worker: worker.name, kind: item.kind, root: item.root, folder: item.path },
    },
  );
  if (stored.effect !== "known") {
    const sourceId = `worker:${worker.name}:${item.path}`;
    await tx.skill.update({ where: { id: stored.skillId }, data: { sourceId, sourceVersion: stored.digest } });
  }
  return stored;
}
