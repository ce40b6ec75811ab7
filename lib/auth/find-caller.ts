import { z } from "zod";
import { type PersonActor, Role, Scope } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { ApiToken, User } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";

const Scopes = z.array(Scope);
const USER = query<Pick<User, "id" | "name" | "email" | "role" | "state">>(
  `SELECT "id", "name", "email", "role", "state" FROM "User" WHERE "id" = ?`,
);
const TOKEN = query<Pick<ApiToken, "id" | "name" | "scopes" | "personaId" | "expiresAt" | "revokedAt">>(
  `SELECT "id", "name", "scopes", "personaId", "expiresAt", "revokedAt" FROM "ApiToken" WHERE "id" = ?`,
  { expiresAt: "date", revokedAt: "date" },
);

/**
 * Somebody who asked for something earlier, with the rights they have now; null when the person is no longer active, or
 * when they came by a token that was revoked or has expired since.
 */
export async function findCaller(
  ctx: Ctx,
  caller: { userId: string; tokenId: string | null; sessionId: string | null },
): Promise<PersonActor | null> {
  const user = await sqlOf(ctx).get(USER, caller.userId);
  if (user?.state !== "active") return null;
  const person = { userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) };
  if (caller.tokenId === null) return { kind: "user", ...person, sessionId: caller.sessionId ?? "" };
  const token = await sqlOf(ctx).get(TOKEN, caller.tokenId);
  if (token === undefined || token.revokedAt !== null) return null;
  if (token.expiresAt !== null && token.expiresAt <= ctx.now()) return null;
  return {
    kind: "token",
    ...person,
    tokenId: token.id,
    tokenName: token.name,
    scopes: parseJsonColumn(Scopes, token.scopes),
    personaId: token.personaId,
  };
}
