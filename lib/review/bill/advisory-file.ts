import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { storeOf } from "@/lib/core/process-store";
import { type Ctx, inTransaction } from "@/lib/db/context";
import type { AdvisoryFile } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { type AdvisoryIndex, indexAdvisories, parseAdvisories } from "./advisories";
import type { AdvisoryFacts, AdvisoryList } from "./schema";

/** Largest file, in bytes: larger ones would stop other requests while they are read. */
export const MAX_ADVISORY_BYTES = 8 * 1024 * 1024;

const ID = "osv";
const facts = {
  id: true,
  sha256: true,
  records: true,
  createdAt: true,
  createdById: true,
  createdByName: true,
} as const;
const TARGET = { kind: "advisories", id: ID, name: "OSV records" };

/** Replaces the advisories by those of a file in the OSV format. Throws `invalid` for another file. */
export async function replaceAdvisories(ctx: Ctx, bytes: Uint8Array): Promise<AdvisoryFacts> {
  const actor = requireScope(ctx.actor, "admin");
  const text = new TextDecoder().decode(bytes).replaceAll("\0", "");
  const { length: records } = recordsOf(text);
  const row = {
    ...{ text, sha256: sha256Hex(text), records, createdAt: ctx.now() },
    ...{ createdById: actor.userId, createdByName: actor.name },
  };
  return inTransaction(ctx, async (tx, txCtx) => {
    await tx.advisoryFile.upsert({ where: { id: ID }, create: { id: ID, ...row }, update: row });
    await recordEvent(tx, txCtx, {
      action: "advisories.replace",
      summary: `uploaded ${records} advisories about packages`,
      target: TARGET,
      data: { records, sha256: row.sha256 },
    });
    return present(row);
  });
}

function recordsOf(text: string) {
  try {
    return parseAdvisories(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AppError("invalid", `The file was not stored: ${message}. Upload records in the OSV format, as JSON.`);
  }
}

/** Removes the advisories; `not_found` without any. */
export async function removeAdvisories(ctx: Ctx): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.advisoryFile.deleteMany({ where: { id: ID } });
    if (count === 0) throw new AppError("not_found", "No advisories are stored.");
    await recordEvent(tx, txCtx, { action: "advisories.remove", summary: "removed the advisories", target: TARGET });
  });
}

/** The stored file of advisories, if there is one. For admins. */
export async function listAdvisories(ctx: Ctx): Promise<AdvisoryList> {
  requireScope(ctx.actor, "admin");
  const row = await ctx.db.advisoryFile.findUnique({ where: { id: ID }, select: facts });
  return { items: row === null ? [] : [present(row)], nextCursor: null };
}

type Loaded = { facts: AdvisoryFacts | null; index: AdvisoryIndex };

/** The stored advisories by package; parsed once for each file. */
export async function loadAdvisories(ctx: Ctx): Promise<Loaded> {
  const row = await ctx.db.advisoryFile.findUnique({ where: { id: ID }, select: facts });
  if (row === null) return { facts: null, index: new Map() };
  const kept = storeOf(ctx.database, "advisories", () => ({ sha256: "", index: new Map() as AdvisoryIndex }));
  if (kept.sha256 !== row.sha256) {
    const { text } = await ctx.db.advisoryFile.findUniqueOrThrow({ where: { id: ID }, select: { text: true } });
    kept.index = indexAdvisories(parseAdvisories(text));
    kept.sha256 = row.sha256;
  }
  return { facts: present(row), index: kept.index };
}

function present(
  row: Pick<AdvisoryFile, "records" | "sha256" | "createdAt" | "createdById" | "createdByName">,
): AdvisoryFacts {
  const { records, sha256, createdAt, createdById, createdByName } = row;
  return { records, sha256, uploadedAt: createdAt.toISOString(), uploadedBy: { id: createdById, name: createdByName } };
}
