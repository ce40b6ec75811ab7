import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";

const DEFAULT_MS = 90 * 24 * 60 * 60_000;

/** When a new token ends: as wanted, else in 90 days; never after the token it is made with. */
export async function tokenExpiry(
  ctx: Ctx,
  { actor, wanted }: { actor: PersonActor; wanted: string | undefined },
): Promise<Date> {
  const latest = await findOwnExpiry(ctx, actor);
  if (wanted === undefined) {
    const expiry = new Date(ctx.now().getTime() + DEFAULT_MS);
    return latest !== null && latest < expiry ? latest : expiry;
  }
  const expiry = new Date(wanted);
  if (expiry <= ctx.now()) throw refusal("must be in the future");
  if (latest !== null && expiry > latest) {
    throw refusal(`must not be after ${latest.toISOString()}, when the token you use ends`);
  }
  return expiry;
}

async function findOwnExpiry(ctx: Ctx, actor: PersonActor): Promise<Date | null> {
  if (actor.kind !== "token") return null;
  const own = await ctx.db.apiToken.findUnique({ where: { id: actor.tokenId } });
  return own?.expiresAt ?? null;
}

function refusal(message: string): AppError {
  return new AppError("invalid", `The expiry ${message}.`, { errors: [{ path: "expiresAt", message }] });
}
