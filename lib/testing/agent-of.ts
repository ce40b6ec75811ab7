import { createPersona } from "@/lib/auth/personas";
import type { CreatePersonaInput } from "@/lib/auth/schema";
import { createToken } from "@/lib/auth/tokens/tokens";
import type { Actor, Scope } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import { type Ctx, createCtx } from "@/lib/db/context";

type Agent = Omit<CreatePersonaInput, "name"> & { scopes?: Scope[]; now?: () => Date };

/** Stores an agent token of a person with its own persona, and returns a context that acts with it. */
export async function agentOf(admin: Ctx, user: { ctx: Ctx }, { scopes = ["read", "run"], now, ...policy }: Agent) {
  const owner = user.ctx.actor;
  if (owner.kind !== "user") throw new Error("only people have agents");
  const persona = await createPersona(admin, { name: `Persona ${newId()}`, ...policy });
  const { id } = await createToken(user.ctx, { name: "agent", scopes, persona: persona.id });
  const { userId, name, email, role } = owner;
  const who = { userId, name, email, role, tokenId: id, tokenName: "agent", scopes, personaId: persona.id };
  const actor: Actor = { kind: "token", ...who };
  const ctx = createCtx({ actor, database: user.ctx.database, ...(now ? { now } : {}) });
  return { ctx, persona, tokenId: id };
}
