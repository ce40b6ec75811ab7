import { basename } from "node:path";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { approveRelease, approveTrusted } from "@/lib/review/automatic-approvals";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { ORG } from "@/lib/skills/skill-access";
import { acceptableFiles } from "@/lib/skills/versions/files-from-input";
import { type ReadSkill, storeVersion } from "@/lib/skills/versions/store-version";
import type { InventoryItem, InventoryProblem, InventoryRequest, InventoryResponse } from "@/lib/worker/protocol";
import { requireWorker } from "../../policy/require-scope";
import { readInventory, type StoredInventory } from "./inventory";

/**
 * Stores a worker's inventory. Folders whose files are all stored become versions of skills, pending until a reviewer, the
 * release or the operator's trusted digests approve them; for the others it returns the hashes of the missing files. Skills
 * that the worker no longer has are no longer offered by it, but stay. A folder that cannot be accepted is a problem,
 * without affecting others.
 */
export async function receiveInventory(ctx: Ctx, request: InventoryRequest): Promise<InventoryResponse> {
  const { workerId } = requireWorker(ctx.actor);
  const worker = await ctx.db.worker.findUniqueOrThrow({ where: { id: workerId } });
  const missing = await findMissing(ctx, request.items);
  const isWhole = ({ files }: InventoryItem) => files.every(({ sha256 }) => !missing.has(sha256));
  const offered: OfferedSkill[] = [];
  const refused: InventoryProblem[] = [];
  for (const item of request.items.filter(isWhole)) {
    const stored = await storeOffered(ctx, worker, item, offered);
    if ("problem" in stored) refused.push({ path: item.path, message: stored.problem });
    else offered.push(stored);
  }
  await keep(ctx, worker, { ...request, refused }, offered, missing.size === 0);
  for (const { item, skillId, versionDigest } of offered) {
    if (item.kind === "builtin" && (await approveRelease(ctx, skillId, versionDigest))) continue;
    await approveTrusted(ctx, skillId, versionDigest);
  }
  const states = await ctx.db.version.findMany({
    where: { id: { in: offered.map(({ versionId }) => versionId) } },
    select: { id: true, state: true },
  });
  const stateOf = new Map(states.map(({ id, state }) => [id, state]));
  return {
    need: [...missing],
    skills: offered.map(({ item, name, skillId, versionId, versionDigest }) => ({
      ...{ path: item.path, name, skillId, versionDigest },
      state: stateOf.get(versionId) ?? "pending",
    })),
    problems: refused,
  };
}

async function findMissing(ctx: Ctx, items: InventoryItem[]): Promise<Set<string>> {
  const missing = new Set(items.flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
  const all = [...missing];
  // In parts: a statement takes only so many parameters.
  for (let from = 0; from < all.length; from += 500) {
    const where = { sha256: { in: all.slice(from, from + 500) } };
    for (const { sha256 } of await ctx.db.blob.findMany({ where, select: { sha256: true } })) missing.delete(sha256);
  }
  return missing;
}

/** Updates the worker's skills. While files are missing, folders keep their last version. */
async function keep(
  ctx: Ctx,
  worker: { id: string; name: string; inventory: string },
  said: StoredInventory,
  offered: OfferedSkill[],
  isComplete: boolean,
): Promise<void> {
  const { items, problems, refused } = said;
  const inventory = JSON.stringify({ items, problems, refused } satisfies StoredInventory);
  await inTransaction(ctx, async (tx, txCtx) => {
    const served = () => tx.workerSkill.findMany({ where: { workerId: worker.id }, orderBy: { path: "asc" } });
    const before = JSON.stringify(await served());
    await tx.worker.update({ where: { id: worker.id }, data: { inventory, inventoryAt: ctx.now() } });
    const paths = (isComplete ? offered.map(({ item }) => item) : items).map(({ path }) => path);
    await tx.workerSkill.deleteMany({ where: { workerId: worker.id, path: { notIn: paths } } });
    for (const { item, skillId, versionId } of offered) {
      const key = { workerId: worker.id, path: item.path };
      const serves = { skillId, versionId };
      await tx.workerSkill.upsert({ where: { workerId_path: key }, create: { ...key, ...serves }, update: serves });
    }
    if (inventory === worker.inventory && JSON.stringify(await served()) === before) return;
    await recordEvent(tx, txCtx, {
      action: "worker.inventory",
      summary: `has ${count(offered.length, "skill")}, and ${count(problems.length + refused.length, "problem")}${isComplete ? "" : "; files are still missing"}`,
      target: { kind: "worker", id: worker.id, name: worker.name },
      device: worker.name,
      data: { skills: offered.map(({ name, item }) => ({ name, path: item.path })), problems, refused },
    });
  });
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

type OfferedSkill = {
  item: InventoryItem;
  name: string;
  skillId: string;
  versionId: string;
  versionDigest: string;
};

type Offering = { id: string; name: string; manager: boolean };

/**
 * Stores a folder of a worker as a pending version of the organisation's skill with its name, unless these bytes are
 * already stored; or returns the problem, as the worker's log reports it. `before` are earlier skills of this inventory. A
 * name of a skill with another source stays with that skill.
 */
async function storeOffered(
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

/** The author does not decide the scope: built-ins declare it, and operators' executables run on their own machine. */
function scopeOf(
  { manager }: Offering,
  { kind }: InventoryItem,
  { manifest, files }: ReadSkill,
): SkillManifest["scope"] {
  if (kind === "builtin") return declaresManager(files) ? "manager" : "host";
  if (manifest.entry === null) return manifest.scope;
  return manager ? "manager" : "host";
}

/** Reads the file itself, because the reader gives every pack the scope manager. */
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

/** Stores a missing file of this worker's last inventory. `not_found` for other hashes, `invalid` for other bytes. */
export async function storeInventoryBlob(ctx: Ctx, sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { workerId } = requireWorker(ctx.actor);
  const { inventory } = await ctx.db.worker.findUniqueOrThrow({ where: { id: workerId }, select: { inventory: true } });
  const isNamed = readInventory(inventory).items.some(({ files }) => files.some((file) => file.sha256 === sha256));
  if (!isNamed) throw new AppError("not_found", `The last inventory names no file ${sha256.slice(0, 7)}.`);
  if (sha256Hex(bytes) !== sha256)
    throw new AppError("invalid", `The bytes do not match the hash ${sha256.slice(0, 7)}.`);
  await inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.blob.findUnique({ where: { sha256 }, select: { sha256: true } });
    if (known) return;
    await tx.blob.create({ data: { sha256, size: bytes.byteLength, bytes, createdAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "worker.file",
      summary: `sent the file ${sha256.slice(0, 7)} of a skill`,
      target: { kind: "file", id: sha256, name: sha256.slice(0, 7) },
      data: { sha256, size: bytes.byteLength },
    });
  });
}
