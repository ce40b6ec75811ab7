import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { storeOf } from "@/lib/core/process-store";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { CatalogEntry, CatalogSource as SourceRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { readEntryFiles } from "../read-files";
import { CatalogFile, type KeepBytesInput, type KeptBytes } from "../schema";
import { requireSource } from "./sources";

/** Listed bytes of one source; larger ones are not kept. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024 * 1024;
const BATCH = 50;
/** Of one run of the job; the next one continues. */
const MAX_RUN_MS = 20_000;
/** Entries in a row that the host does not give, after which the pass ends. */
const MAX_FAILURES = 3;
/** A pass with a problem is repeated after this time. */
const RETRY_MS = 600_000;

/** Whether a source's files are kept, and how far that is. For admins. */
export async function getKept(ctx: Ctx, id: string): Promise<KeptBytes> {
  requireScope(ctx.actor, "admin");
  await requireSource(ctx, id);
  const row = await ctx.db.keptSource.findUnique({ where: { sourceId: id } });
  if (row === null) return { keeps: false, since: null, by: null, entries: 0, complete: 0, problem: null };
  const { since, setById, setByName, entries, complete, problem } = row;
  return { keeps: true, since: since.toISOString(), by: { id: setById, name: setByName }, entries, complete, problem };
}

/**
 * Keeps the files of all listed entries of a source from now on, so that browsing, installing and reviewing need its host
 * no more; or stops that. Files that are stored stay stored. For admins.
 */
export async function setKept(ctx: Ctx, id: string, { keeps }: KeepBytesInput): Promise<KeptBytes> {
  const actor = requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await requireSource(txCtx, id);
    const known = await tx.keptSource.findUnique({ where: { sourceId: id } });
    if ((known !== null) === keeps) return;
    if (keeps) {
      const data = { sourceId: id, since: txCtx.now(), setById: actor.userId, setByName: actor.name };
      await tx.keptSource.create({ data });
    } else await tx.keptSource.delete({ where: { sourceId: id } });
    await recordEvent(tx, txCtx, {
      action: keeps ? "catalog_source.keep" : "catalog_source.unkeep",
      summary: keeps
        ? `keeps all files of the catalog source ${source.label} from now on`
        : `no longer keeps all files of the catalog source ${source.label}`,
      target: { kind: "catalog_source", id, name: source.label },
    });
  });
  passesOf(ctx).delete(id);
  return getKept(ctx, id);
}

/** `after` is the last entry of an unfinished pass; null once it reached the end. */
type Pass = { of: string; after: string | null; complete: number; problem: string | null; endedAt: number };

function passesOf(ctx: Ctx): Map<string, Pass> {
  return storeOf(ctx.database, "kept-sources", () => new Map<string, Pass>());
}

/**
 * Stores the missing files of kept sources, for at most 20 seconds. A source is read again when a sync has changed it,
 * and ten minutes after a problem. Returns the number of stored files.
 */
export async function keepSources(ctx: Ctx): Promise<number> {
  const passes = passesOf(ctx);
  const until = performance.now() + MAX_RUN_MS;
  const rows = await ctx.db.keptSource.findMany({ include: { source: true }, orderBy: { sourceId: "asc" } });
  let stored = 0;
  for (const { source } of rows) {
    const of = [source.commit, source.treeSha, source.syncedAt?.getTime()].join(" ");
    const known = passes.get(source.id);
    const isDue =
      known === undefined ||
      known.of !== of ||
      known.after !== null ||
      (known.problem !== null && ctx.now().getTime() - known.endedAt > RETRY_MS);
    if (!isDue || source.commit === null) continue;
    const isGoing = known?.of === of && known.after !== null;
    const pass = isGoing ? known : { of, after: "", complete: 0, problem: null, endedAt: 0 };
    passes.set(source.id, pass);
    stored += await continuePass(ctx, source, pass, until);
    if (performance.now() > until) break;
  }
  return stored;
}

async function continuePass(ctx: Ctx, source: SourceRow, pass: Pass, until: number): Promise<number> {
  const listed = { sourceId: source.id, state: "present" };
  const { _sum, _count } = await ctx.db.catalogEntry.aggregate({ where: listed, _sum: { bytes: true }, _count: true });
  let stored = 0;
  if ((_sum.bytes ?? 0) > MAX_KEPT_BYTES) {
    pass.problem = `Its files have ${_sum.bytes} bytes, more than the ${MAX_KEPT_BYTES} that are kept of one source.`;
    pass.after = null;
  }
  let failures = 0;
  while (pass.after !== null && performance.now() < until) {
    const entries: CatalogEntry[] = await ctx.db.catalogEntry.findMany({
      where: { ...listed, id: { gt: pass.after } },
      orderBy: { id: "asc" },
      take: BATCH,
    });
    if (entries.length === 0) pass.after = null;
    for (const entry of entries) {
      await loopTurn();
      const kept = await keepEntry(ctx, source, entry);
      stored += kept.stored;
      if (kept.problem === null) pass.complete += 1;
      else pass.problem ??= kept.problem;
      failures = kept.isHostGone ? failures + 1 : 0;
      pass.after = failures < MAX_FAILURES ? entry.id : null;
      if (pass.after === null || performance.now() > until) break;
    }
  }
  if (pass.after === null) pass.endedAt = ctx.now().getTime();
  const progress = { entries: _count, complete: pass.complete, problem: pass.problem };
  await inTransaction(ctx, (tx) => tx.keptSource.updateMany({ where: { sourceId: source.id }, data: progress }));
  return stored;
}

type Kept = { stored: number; problem: string | null; isHostGone: boolean };

async function keepEntry(ctx: Ctx, source: SourceRow, entry: CatalogEntry): Promise<Kept> {
  const files = parseJsonColumn(z.array(CatalogFile), entry.files).filter(({ kind }) => kind !== "submodule");
  const large = files.find(({ size }) => size > MAX_FILE_BYTES);
  const wanted = files.filter(({ size }) => size <= MAX_FILE_BYTES);
  const known = await ctx.db.catalogBlob.findMany({
    where: { gitSha: { in: wanted.map(({ sha }) => sha) } },
    select: { gitSha: true },
  });
  const has = new Set(known.map(({ gitSha }) => gitSha));
  const missing = wanted.filter(({ sha }) => !has.has(sha));
  const problem =
    large === undefined ? null : `${entry.name}: ${large.path} is larger than ${MAX_FILE_BYTES} bytes and is not kept.`;
  if (missing.length === 0) return { stored: 0, problem, isHostGone: false };
  const { owner, repo, isPrivate } = source;
  const place = { owner, repo, isPrivate, commit: entry.commit, folder: entry.folder, entry, source };
  try {
    const read = await readEntryFiles(ctx, place, missing);
    await inTransaction(ctx, async (tx, txCtx) => {
      for (const [gitSha, bytes] of read) {
        const create = { gitSha, size: bytes.byteLength, bytes: new Uint8Array(bytes), createdAt: txCtx.now() };
        await tx.catalogBlob.upsert({ where: { gitSha }, create, update: {}, select: { gitSha: true } });
      }
    });
    return { stored: read.size, problem, isHostGone: false };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { stored: 0, problem: `${entry.name}: ${error.message}`, isHostGone: error.code === "unavailable" };
  }
}
