import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { ORG } from "@/lib/policy/owner-key";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { findPublisher } from "./find-publisher";
import { presentPublisher } from "./present-publisher";
import { type PublisherRow, publisherOf } from "./publisher-of";
import type { Publisher } from "./schema";

/**
 * A publisher by its handle, or by one that it had until less than 30 days ago; `me` is the caller’s own. `not_found` also
 * for people of whom the caller sees no skill.
 */
export async function getPublisher(ctx: Ctx, handle: string): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "read");
  const publisher = await presentPublisher(ctx, actor, await requirePublisher(ctx, actor, handle));
  const isShown = publisher.skills > 0 || publisher.kind === "org" || publisher.editable || seesAll(actor);
  if (!isShown) throw noPublisher(handle);
  return publisher;
}

/** The row; says nothing yet about who may see it. */
export async function requirePublisher(ctx: Ctx, actor: PersonActor, handle: string): Promise<PublisherRow> {
  if (handle === "me") return publisherOf(ctx, { ownerKey: actor.userId });
  const row = await findPublisher(ctx, handle);
  // The organisation is there before it has a skill.
  if (row === null && handle === ORG) return publisherOf(ctx, { ownerKey: ORG });
  if (row === null) throw noPublisher(handle);
  return row;
}

function noPublisher(handle: string): AppError {
  return new AppError("not_found", `There is no publisher “${handle.slice(0, 39)}” whose skills you can see.`);
}
