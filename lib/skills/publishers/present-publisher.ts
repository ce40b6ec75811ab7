import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { hasScope } from "@/lib/policy/require-scope";
import { visibleTo } from "../skill-access";
import { ownedBy } from "./owned-by";
import type { PublisherRow } from "./publisher-of";
import type { Publisher, PublisherRef } from "./schema";

/** How long an owner keeps a chosen handle at least, in milliseconds. */
export const HANDLE_REST_MS = 24 * 3_600_000;

export async function presentPublisher(ctx: Ctx, actor: PersonActor, row: PublisherRow): Promise<Publisher> {
  const freeAt = row.handleChangedAt === null ? 0 : row.handleChangedAt.getTime() + HANDLE_REST_MS;
  return {
    ...publisherRef(row),
    id: row.id,
    kind: row.userId === null ? "org" : "user",
    bio: row.bio,
    homepage: row.homepage,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    skills: await ctx.db.skill.count({ where: { AND: [visibleTo(actor), ownedBy(row)] } }),
    editable: mayEdit(actor, row),
    handleFreeAt: freeAt > ctx.now().getTime() ? new Date(freeAt).toISOString() : null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function publisherRef(row: Pick<PublisherRow, "handle" | "displayName" | "verifiedAt">): PublisherRef {
  return { handle: row.handle, name: row.displayName, verified: row.verifiedAt !== null };
}

/** A profile is changed by the person it is of, and by admins. */
export function mayEdit(actor: PersonActor, row: Pick<PublisherRow, "userId">): boolean {
  return hasScope(actor, "admin") || (row.userId === actor.userId && hasScope(actor, "write"));
}
