import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Publisher as PublisherRow } from "@/lib/db/generated/client";
import { ORG } from "@/lib/policy/ownership";
import { hasScope, requireScope, seesAll } from "@/lib/policy/require-scope";

import {
  canEditPublisher,
  countVisible,
  findPublisher,
  HANDLE_COOLDOWN_MS,
  isHandleFree,
  presentCounted,
  presentPublisher,
  publisherOf,
  publishersOf,
} from "./publishers";
import type { ListPublishersQuery, PatchPublisherInput, Publisher } from "./schema";

/** A publisher by its current or former handle, or `me`; `not_found` without a skill that the caller sees. */
export async function getPublisher(ctx: Ctx, handle: string): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "read");
  const publisher = await presentPublisher(ctx, actor, await requirePublisher(ctx, actor, handle));
  const isShown = publisher.skills > 0 || publisher.kind === "org" || publisher.editable || seesAll(actor);
  if (!isShown) throw noPublisher(handle);
  return publisher;
}

async function requirePublisher(ctx: Ctx, actor: PersonActor, handle: string): Promise<PublisherRow> {
  if (handle === "me") return publisherOf(ctx, { ownerKey: actor.userId });
  const row = await findPublisher(ctx, handle);
  // The organisation exists before its first skill.
  if (row === null && handle === ORG) return publisherOf(ctx, { ownerKey: ORG });
  if (row === null) throw noPublisher(handle);
  return row;
}

function noPublisher(handle: string): AppError {
  return new AppError("not_found", `There is no publisher “${handle.slice(0, 39)}” whose skills you can see.`);
}

/** The organisation and all publishers with a visible skill, by handle. */
export async function listPublishers(ctx: Ctx, query: ListPublishersQuery): Promise<Page<Publisher>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? "" : decodeCursor(z.string(), query.cursor);
  const counted = await countVisible(ctx, actor);
  const publishers = await publishersOf(ctx, [{ ownerKey: ORG }, ...counted]);
  const rows = [...new Map([...publishers.values()].map((row) => [row.id, row])).values()]
    .filter(({ handle }) => handle > after)
    .sort((a, b) => (a.handle < b.handle ? -1 : 1));
  const page = toPage(rows.slice(0, query.limit + 1), query.limit, ({ handle }) => handle);
  return { items: page.items.map((row) => presentCounted(ctx, actor, row, counted)), nextCursor: page.nextCursor };
}

const REDIRECT_MS = 30 * 24 * 3_600_000;

/**
 * Changes a profile; for its person and admins. The handle can change once a day (`conflict`; admins any time), and the
 * old one redirects for 30 days. A new name or handle ends the verification unless an admin makes the change.
 */
export async function updatePublisher(ctx: Ctx, handle: string, input: PatchPublisherInput): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    await getPublisher(txCtx, handle);
    const row = await requirePublisher(txCtx, actor, handle);
    if (!canEditPublisher(actor, row))
      throw new AppError("forbidden", `Only its owner and admins may change the publisher “${row.handle}”.`);
    const { name, ...rest } = input;
    const isMoved = input.handle !== undefined && input.handle !== row.handle;
    const isRenamed = name !== undefined && name !== row.displayName;
    if (isMoved) await moveHandle(tx, txCtx, { actor, row, handle: input.handle ?? row.handle });
    const losesMark = (isMoved || isRenamed) && row.verifiedAt !== null && !hasScope(actor, "admin");
    await tx.publisher.update({
      where: { id: row.id },
      data: {
        ...rest,
        ...(name === undefined ? {} : { displayName: name }),
        ...(isMoved ? { handleChangedAt: ctx.now() } : {}),
        ...(losesMark ? { verifiedAt: null, verifiedById: null } : {}),
        updatedAt: ctx.now(),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "publisher.update",
      summary: `changed ${Object.keys(input).join(", ")} of the publisher ${row.handle}${losesMark ? ", which is no longer verified" : ""}`,
      concerns: row.userId,
      target: { kind: "publisher", id: row.id, name: input.handle ?? row.handle },
      data: { before: pick(row, input), after: input },
    });
    return getPublisher(txCtx, input.handle ?? row.handle);
  });
}

type Move = { actor: PersonActor; row: PublisherRow; handle: string };

async function moveHandle(tx: Tx, ctx: Ctx, { actor, row, handle }: Move): Promise<void> {
  const rests =
    row.handleChangedAt !== null && row.handleChangedAt.getTime() + HANDLE_COOLDOWN_MS > ctx.now().getTime();
  if (rests && !hasScope(actor, "admin")) {
    throw new AppError("conflict", "A handle can be changed once a day; this one was changed less than a day ago.");
  }
  if (!(await isHandleFree(tx, { handle, publisherId: row.id, now: ctx.now() }))) {
    const errors = [{ path: "handle", message: "is taken" }];
    throw new AppError("invalid", `The handle “${handle}” is taken.`, { errors });
  }
  const until = new Date(ctx.now().getTime() + REDIRECT_MS);
  await tx.formerHandle.deleteMany({ where: { handle } });
  const former = { publisherId: row.id, until };
  await tx.formerHandle.upsert({
    where: { handle: row.handle },
    create: { handle: row.handle, ...former },
    update: former,
  });
}

function pick(row: PublisherRow, input: PatchPublisherInput): Record<string, unknown> {
  const before = { handle: row.handle, name: row.displayName, bio: row.bio, homepage: row.homepage };
  return Object.fromEntries(Object.entries(before).filter(([key]) => key in input));
}

/** Verifies a publisher, or removes the verification; for admins. Repeating it has no effect. */
export async function verifyPublisher(ctx: Ctx, handle: string, verified: boolean): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requirePublisher(txCtx, actor, handle);
    if ((row.verifiedAt !== null) !== verified) {
      const data = verified
        ? { verifiedAt: ctx.now(), verifiedById: actor.userId }
        : { verifiedAt: null, verifiedById: null };
      await tx.publisher.update({ where: { id: row.id }, data: { ...data, updatedAt: ctx.now() } });
      await recordEvent(tx, txCtx, {
        action: verified ? "publisher.verify" : "publisher.unverify",
        summary: `${verified ? "verified" : "removed the verification of"} the publisher ${row.handle}`,
        concerns: row.userId,
        target: { kind: "publisher", id: row.id, name: row.handle },
      });
    }
    return getPublisher(txCtx, row.handle);
  });
}
