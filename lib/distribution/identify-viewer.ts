import { updateLastUsed } from "@/lib/auth/sessions/authenticate-request";
import { isPerson, type PersonActor, Role } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { hasScope } from "@/lib/policy/require-scope";
import { CapabilityScopeKind } from "./schema";
import type { DistributionScope, ScopeAddress } from "./scope";

/** The caller of a distribution endpoint and the requested scope. */
export type Viewer = {
  /** Context of the viewer with read access only; anonymous viewers see public skills only. */
  ctx: Ctx;
  scope: DistributionScope;
  /** Prefix of every path: empty, or `/t/<token>`, which is secret. */
  base: string;
  isPublic: boolean;
  /** Key for limits and install counts, without secrets. */
  key: string;
};

/**
 * Identifies the viewer of a request that `route()` has authenticated. Below a capability URL it is the URL's person,
 * limited to its scope; throws `not_found` when the URL is unknown and `gone` when it has ended. Every viewer has read
 * access only: a reviewer is offered what any person is.
 */
export async function identifyViewer(ctx: Ctx, address: ScopeAddress): Promise<Viewer> {
  if ("token" in address) {
    const { id, actor, scope } = await openCapability(ctx, address.token);
    const base = `/t/${address.token}`;
    return { ctx: { ...ctx, actor }, scope, base, isPublic: false, key: `capability:${id}` };
  }
  const { scope } = address;
  if (isPerson(ctx.actor) && hasScope(ctx.actor, "read")) {
    const { actor } = ctx;
    return { ctx: { ...ctx, actor: asReader(actor) }, scope, base: "", isPublic: false, key: keyOf(actor) };
  }
  const key = `address:${ctx.request.address ?? ""}`;
  return { ctx: { ...ctx, actor: { kind: "anonymous" } }, scope, base: "", isPublic: true, key };
}

export function identifyRootViewer(ctx: Ctx): Promise<Viewer> {
  return identifyViewer(ctx, { scope: { kind: "root" } });
}

function asReader(actor: PersonActor): PersonActor {
  const { userId, name, email, role } = actor;
  const token = actor.kind === "token" ? actor : { tokenId: actor.sessionId, tokenName: "session", personaId: null };
  const { tokenId, tokenName, personaId } = token;
  return { kind: "token", userId, name, email, role, tokenId, tokenName, personaId, scopes: ["read"] };
}

function keyOf(actor: PersonActor): string {
  return actor.kind === "token" ? `token:${actor.tokenId}` : `user:${actor.userId}`;
}

type Opened = { id: string; actor: PersonActor; scope: DistributionScope };

/**
 * Resolves the token of a capability URL to its person, with read access only, and its scope. Throws `not_found` for an
 * unknown token, `gone` for one that was revoked, has expired or whose person is no longer active.
 */
async function openCapability(ctx: Ctx, token: string): Promise<Opened> {
  const row = await ctx.db.capabilityUrl.findUnique({ where: { tokenHash: sha256Hex(token) } });
  if (row === null) throw new AppError("not_found", "There is no index at this address.");
  const user = await ctx.db.user.findUnique({ where: { id: row.userId } });
  const now = ctx.now();
  if (row.revokedAt !== null || row.expiresAt <= now || user === null || user.state !== "active") {
    throw new AppError("gone", "This URL has expired or was revoked. Ask the person who shared it for a new one.");
  }
  await updateLastUsed(ctx, row.lastUsedAt, (tx, { at, before }) =>
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

function scopeOf({ scopeKind, scopeId }: { scopeKind: string; scopeId: string | null }): DistributionScope {
  const to = CapabilityScopeKind.parse(scopeKind);
  return to === "root" || scopeId === null ? { kind: "root" } : { kind: "bound", to, id: scopeId };
}
