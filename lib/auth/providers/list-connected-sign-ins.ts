import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Provider } from "./read-providers";
import { type ConnectedSignIns, ProviderId } from "./schema";

/** What the signed-in person can sign in with, oldest first, and what they could connect. */
export async function listConnectedSignIns(ctx: Ctx, providers: Provider[]): Promise<ConnectedSignIns> {
  const { actor } = ctx;
  if (actor.kind !== "user") throw new AppError("forbidden", "Only a signed-in browser may call this, not a token.");
  const { passwordHash, connectedSignIns } = await ctx.db.user.findUniqueOrThrow({
    where: { id: actor.userId },
    include: { connectedSignIns: { orderBy: { id: "asc" } } },
  });
  const items = connectedSignIns.map((row) => ({
    id: row.id,
    provider: ProviderId.parse(row.provider),
    providerName: providers.find(({ issuer }) => issuer === row.issuer)?.name ?? row.issuer,
    label: row.label,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  }));
  return {
    items,
    providers: providers.map(({ id, name }) => ({ id, name })),
    hasPassword: passwordHash !== null,
  };
}
