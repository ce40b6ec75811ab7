import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { getPublisher, requirePublisher } from "./get-publisher";
import { isHandleFree } from "./is-handle-free";
import { HANDLE_REST_MS, mayEdit } from "./present-publisher";
import type { PublisherRow } from "./publisher-of";
import type { PatchPublisherInput, Publisher } from "./schema";

/** How long a handle that was given up leads to its publisher, in milliseconds. */
const REDIRECT_MS = 30 * 24 * 3_600_000;

/**
 * Changes a publisher’s profile: for the person it is of, and admins. Another handle once a day (`conflict`; admins at any
 * time); the old one leads there for 30 days. Whoever is verified and takes another name or handle no longer is, unless an
 * admin does it.
 */
export async function updatePublisher(ctx: Ctx, handle: string, input: PatchPublisherInput): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    await getPublisher(txCtx, handle);
    const row = await requirePublisher(txCtx, actor, handle);
    if (!mayEdit(actor, row)) throw new AppError("forbidden", `The publisher “${row.handle}” is not yours to change.`);
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
  const rests = row.handleChangedAt !== null && row.handleChangedAt.getTime() + HANDLE_REST_MS > ctx.now().getTime();
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
