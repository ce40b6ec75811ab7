import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma, type SopKey, type Sop as SopRow } from "@/lib/db/generated/client";
import { listOf, query, readComposed, sqlOf } from "@/lib/db/sql";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { type CreateSopInput, type Sop, SopAlgorithm } from "@/lib/runner/schema";
import { isSopSigned } from "./sop-keys";

/** Registers a standard operating procedure; `invalid` unless its signature verifies against a registered key. */
export async function createSop(ctx: Ctx, input: CreateSopInput): Promise<Sop> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const keys = await tx.sopKey.findMany({
      where: { revokedAt: null, ...(input.keyId === undefined ? {} : { id: input.keyId }) },
    });
    const key = keys.find(({ publicKey }) => isSopSigned({ ...input, publicKey }));
    if (key === undefined) {
      const message = keys.length === 0 ? "has no registered key to verify against" : "does not verify";
      throw new AppError("invalid", `The procedure was not registered: signature ${message}.`, {
        errors: [{ path: "signature", message }],
      });
    }
    const row = await tx.sop.create({
      data: {
        id: newId(),
        title: input.title,
        text: input.text,
        digest: sha256Hex(input.text),
        algorithm: input.algorithm,
        signature: input.signature,
        keyId: key.id,
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "sop.create",
      summary: `registered the procedure “${row.title}”, signed with ${key.name}`,
      target: { kind: "sop", id: row.id, name: row.title },
      data: { digest: row.digest, keyId: key.id, fingerprint: key.fingerprint },
    });
    const [sop] = await presentSops(txCtx, [row]);
    if (!sop) throw new Error("presenting one row gave none");
    return sop;
  });
}

/** Removes a procedure: runs that wait under it will not start. Its text stays for the record. */
export async function deleteSop(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.sop.findUnique({ where: { id } });
    if (row === null || row.deletedAt !== null) {
      throw new AppError("not_found", `There is no procedure ${id.slice(0, 64)}.`);
    }
    await tx.sop.update({ where: { id }, data: { deletedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "sop.delete",
      summary: `withdrew the procedure “${row.title}”`,
      target: { kind: "sop", id, name: row.title },
    });
  });
}

/** One procedure, including a removed one, since runs may reference it. */
export async function getSop(ctx: Ctx, id: string): Promise<Sop> {
  if (!hasScope(ctx.actor, "admin")) requireScope(ctx.actor, "read");
  const sop = await findSop(ctx, id);
  if (sop === null) throw new AppError("not_found", `There is no procedure ${id.slice(0, 64)}.`);
  return sop;
}

/** The registered procedures, newest first. Every user may read them, since runs reference them. */
export async function listSops(ctx: Ctx, query: PageQuery): Promise<Page<Sop>> {
  if (!hasScope(ctx.actor, "admin")) requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? LAST : decodeCursor(z.string(), query.cursor);
  const rows = await sqlOf(ctx).all(NEWEST, before, query.limit + 1);
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentSops(ctx, page.items), nextCursor: page.nextCursor };
}

/** Sorts after every id. */
const LAST = "~";
const NEWEST = query<SopRow>(`SELECT * FROM "Sop" WHERE "deletedAt" IS NULL AND "id" < ? ORDER BY "id" DESC LIMIT ?`, {
  createdAt: "date",
  deletedAt: "date",
});

/** Procedures as the API shows them, each verified again: one whose key was removed is no longer valid. */
export async function presentSops(ctx: Ctx, rows: SopRow[]): Promise<Sop[]> {
  if (rows.length === 0) return [];
  const keys = await readComposed<SopKey>(
    ctx,
    Prisma.sql`SELECT * FROM "SopKey" WHERE "id" IN ${listOf(
      ctx,
      rows.map(({ keyId }) => keyId),
    )}`,
    { createdAt: "date", revokedAt: "date" },
  );
  const people = await readComposed<{ id: string; name: string }>(
    ctx,
    Prisma.sql`SELECT "id", "name" FROM "User" WHERE "id" IN ${listOf(
      ctx,
      rows.map(({ createdBy }) => createdBy),
    )}`,
  );
  return rows.map((row) => {
    const key = keys.find(({ id }) => id === row.keyId);
    const algorithm = SopAlgorithm.parse(row.algorithm);
    const isKeyRegistered = key !== undefined && key.revokedAt === null;
    return {
      id: row.id,
      title: row.title,
      text: row.text,
      digest: row.digest,
      algorithm,
      key: { id: row.keyId, name: key?.name ?? "a deleted key" },
      valid: row.deletedAt === null && isKeyRegistered && isSopSigned({ ...row, algorithm, publicKey: key.publicKey }),
      createdAt: row.createdAt.toISOString(),
      createdBy: people.find(({ id }) => id === row.createdBy)?.name ?? row.createdBy,
    };
  });
}

/** One procedure, including a removed one, which is then not valid; null when it never existed. */
export async function findSop(ctx: Ctx, id: string): Promise<Sop | null> {
  const row = await ctx.db.sop.findUnique({ where: { id } });
  return row === null ? null : ((await presentSops(ctx, [row]))[0] ?? null);
}
