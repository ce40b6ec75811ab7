import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import type { ReviewKey } from "./schema";

/** The public keys that approvals are and were signed with, the current one first. */
export async function listReviewKeys(ctx: Ctx): Promise<{ items: ReviewKey[]; nextCursor: null }> {
  const current = await loadSigningKey(ctx.database.keyFolder);
  const rows = await ctx.db.reviewKey.findMany({ orderBy: { createdAt: "desc" } });
  const known = rows.some((row) => row.id === current.keyId);
  const unused = known ? [] : [{ id: current.keyId, publicKey: current.publicPem, createdAt: ctx.now() }];
  const items = [...unused, ...rows].map((row) => ({
    keyId: row.id,
    algorithm: "ed25519" as const,
    publicKey: row.publicKey,
    createdAt: row.createdAt.toISOString(),
    isCurrent: row.id === current.keyId,
  }));
  return { items: items.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)), nextCursor: null };
}
