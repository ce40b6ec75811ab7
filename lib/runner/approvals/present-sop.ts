import type { Ctx } from "@/lib/db/context";
import type { Sop as SopRow } from "@/lib/db/generated/client";
import { type Sop, SopAlgorithm } from "@/lib/runner/schema";
import { isSopSigned } from "./verify-sop";

/** Procedures as the API shows them, each verified anew: one whose key was removed since is no longer valid. */
export async function presentSops(ctx: Ctx, rows: SopRow[]): Promise<Sop[]> {
  const keys = await ctx.db.sopKey.findMany({ where: { id: { in: rows.map((row) => row.keyId) } } });
  const people = await ctx.db.user.findMany({ where: { id: { in: rows.map((row) => row.createdBy) } } });
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
      key: { id: row.keyId, name: key?.name ?? "a key that is gone" },
      valid: row.deletedAt === null && isKeyRegistered && isSopSigned({ ...row, algorithm, publicKey: key.publicKey }),
      createdAt: row.createdAt.toISOString(),
      createdBy: people.find(({ id }) => id === row.createdBy)?.name ?? row.createdBy,
    };
  });
}

/** One procedure, also a removed one, which is then not valid; null when there never was one. */
export async function findSop(ctx: Ctx, id: string): Promise<Sop | null> {
  const row = await ctx.db.sop.findUnique({ where: { id } });
  return row === null ? null : ((await presentSops(ctx, [row]))[0] ?? null);
}
