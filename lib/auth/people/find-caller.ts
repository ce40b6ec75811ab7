import { z } from "zod";
import { isUnissued, UNISSUED_NAME, UNISSUED_SCOPES } from "@/lib/auth/tokens/one-time-token";
import { type PersonActor, Role, Scope } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession, ApiToken, User } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";

const Scopes = z.array(Scope);
const USER = query<Pick<User, "id" | "name" | "email" | "role" | "state">>(
  `SELECT "id", "name", "email", "role", "state" FROM "User" WHERE "id" = ?`,
);
const TOKEN = query<Pick<ApiToken, "id" | "name" | "scopes" | "personaId" | "expiresAt" | "revokedAt">>(
  `SELECT "id", "name", "scopes", "personaId", "expiresAt", "revokedAt" FROM "ApiToken" WHERE "id" = ?`,
  { expiresAt: "date", revokedAt: "date" },
);
/** Agents of the playground have sessions, but no token. */
const OF_SERVER = query<Pick<AgentSession, "personaId">>(
  `SELECT "personaId" FROM "AgentSession" WHERE "tokenId" = ? AND "userId" = ? ORDER BY "lastSeenAt" DESC LIMIT 1`,
);

/**
 * The person behind an earlier request, with their current rights; null when the person is no longer active, or the
 * token was revoked or expired. An agent of the playground ends with its last session.
 */
export async function findCaller(
  ctx: Ctx,
  caller: { userId: string; tokenId: string | null; sessionId: string | null },
): Promise<PersonActor | null> {
  const user = await sqlOf(ctx).get(USER, caller.userId);
  if (user?.state !== "active") return null;
  const person = { userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) };
  if (caller.tokenId === null) return { kind: "user", ...person, sessionId: caller.sessionId ?? "" };
  if (isUnissued(caller.tokenId)) {
    const session = await sqlOf(ctx).get(OF_SERVER, caller.tokenId, user.id);
    if (session === undefined) return null;
    const { personaId } = session;
    return {
      kind: "token",
      ...person,
      tokenId: caller.tokenId,
      tokenName: UNISSUED_NAME,
      scopes: [...UNISSUED_SCOPES],
      personaId,
    };
  }
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
