import { z } from "zod";
import { type PersonActor, Role, Scope } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";

/**
 * Somebody who asked for something earlier, with the rights they have now; null when the person is no longer active, or
 * when they came by a token that was revoked or has expired since.
 */
export async function findCaller(
  ctx: Ctx,
  caller: { userId: string; tokenId: string | null; sessionId: string | null },
): Promise<PersonActor | null> {
  const user = await ctx.db.user.findUnique({ where: { id: caller.userId } });
  if (user?.state !== "active") return null;
  const person = { userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) };
  if (caller.tokenId === null) return { kind: "user", ...person, sessionId: caller.sessionId ?? "" };
  const token = await ctx.db.apiToken.findUnique({ where: { id: caller.tokenId } });
  if (token === null || token.revokedAt !== null) return null;
  if (token.expiresAt !== null && token.expiresAt <= ctx.now()) return null;
  return {
    kind: "token",
    ...person,
    tokenId: token.id,
    tokenName: token.name,
    scopes: parseJsonColumn(z.array(Scope), token.scopes),
    personaId: token.personaId,
  };
}
