import type { PersonActor, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { effectiveScopes, requireScope } from "@/lib/policy/require-scope";
import type { CreateTokenInput } from "./schema";

const POWERS_OF_DECISION: Scope[] = ["review", "admin"];

/**
 * Nobody hands out more than they have themselves; nobody mints a token that decides for somebody else, so that four
 * eyes cannot become two; and an agent under a persona never decides.
 */
export async function assertTokenAllowed(
  ctx: Ctx,
  { actor, input }: { actor: PersonActor; input: CreateTokenInput },
): Promise<void> {
  const deciding = input.scopes.filter((scope) => POWERS_OF_DECISION.includes(scope));
  if (input.userId !== undefined && input.userId !== actor.userId) {
    requireScope(actor, "admin");
    if (deciding.length > 0) {
      throw new AppError("forbidden", `Nobody makes a token with ${deciding.join(" or ")} for somebody else.`);
    }
    await assertActive(ctx, input.userId);
  }
  if (input.persona !== undefined) {
    if (deciding.length > 0) {
      throw invalid("scopes", `cannot hold ${deciding.join(" or ")} in a token that acts under a persona`);
    }
    const persona = await ctx.db.persona.findUnique({ where: { id: input.persona } });
    if (persona === null) throw invalid("persona", "must be the id of a persona");
  }
  const excess = input.scopes.filter((scope) => !effectiveScopes(actor).includes(scope));
  if (excess.length > 0) throw new AppError("forbidden", `You do not have ${excess.join(", ")} yourself.`);
}

async function assertActive(ctx: Ctx, userId: string): Promise<void> {
  const user = await ctx.db.user.findUnique({ where: { id: userId } });
  if (user?.state !== "active") throw invalid("userId", "must be the id of an active person");
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid", `The token cannot be made: ${path} ${message}.`, { errors: [{ path, message }] });
}
