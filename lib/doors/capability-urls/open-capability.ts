import { touchAtMostEachMinute } from "@/lib/auth/touch-at-most-each-minute";
import { type PersonActor, Role } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import type { DoorScope } from "../scope";
import { CapabilityScopeKind } from "./schema";

type Opened = { id: string; actor: PersonActor; scope: DoorScope };

/**
 * What the token of a capability URL stands for: its person as they are now, with nothing but reading, and what it covers.
 * `not_found` for one that never was, `gone` for one that was revoked, has expired or whose person has left.
 */
export async function openCapability(ctx: Ctx, token: string): Promise<Opened> {
  const row = await ctx.db.capabilityUrl.findUnique({ where: { tokenHash: sha256Hex(token) } });
  if (row === null) throw new AppError("not_found", "There is no index at this address.");
  const user = await ctx.db.user.findUnique({ where: { id: row.userId } });
  const now = ctx.now();
  if (row.revokedAt !== null || row.expiresAt <= now || user === null || user.state !== "active") {
    throw new AppError("gone", "This address has expired or was revoked. Ask whoever gave it to you for another.");
  }
  await touchAtMostEachMinute(ctx, row.lastUsedAt, (tx, { at, before }) =>
    tx.capabilityUrl.updateMany({
      where: { id: row.id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
      data: { lastUsedAt: at },
    }),
  );
  const actor: PersonActor = {
    ...{ kind: "token", userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) },
    ...{ tokenId: row.id, tokenName: row.name, personaId: row.personaId, scopes: ["read"] },
    isCapabilityUrl: true,
  };
  return { id: row.id, actor, scope: scopeOf(row) };
}

function scopeOf({ scopeKind, scopeId }: { scopeKind: string; scopeId: string | null }): DoorScope {
  const to = CapabilityScopeKind.parse(scopeKind);
  return to === "root" || scopeId === null ? { kind: "root" } : { kind: "bound", to, id: scopeId };
}
