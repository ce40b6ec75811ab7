import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import { type Ctx, inTransaction, type Tx } from "@/lib/db/context";
import { Prisma, type Publisher as PublisherRow } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, readComposed, sqlOf } from "@/lib/db/sql";
import { ORG, ownerIdOf, parseOwnerKey } from "@/lib/policy/ownership";
import { hasScope } from "@/lib/policy/require-scope";
import { visibleSql } from "../access/visible-skills";
import type { Publisher, PublisherRef } from "./schema";

const STEM = 34;

type Owned = { ownerKey: string };

/** The publisher of a skill: its owner, else the organisation, also for skills of personas. */
export async function publisherOf(ctx: Ctx, skill: Owned): Promise<PublisherRow> {
  const publisher = (await publishersOf(ctx, [skill])).get(skill.ownerKey);
  if (publisher === undefined) throw new Error("a publisher was neither found nor made");
  return publisher;
}

/** Publishers by owner key. Missing ones are created in a separate transaction. */
export async function publishersOf(ctx: Ctx, skills: Owned[]): Promise<Map<string, PublisherRow>> {
  const keys = [...new Set(skills.map(({ ownerKey }) => ownerKey))];
  const userIds = [...new Set(keys.map(ownerIdOf))];
  const found = await readPublishers(ctx, userIds);
  const missing = userIds.filter((userId) => !found.has(userId));
  for (const [userId, row] of missing.length === 0 ? [] : await ensurePublishers(ctx, missing)) found.set(userId, row);
  return new Map(
    keys.flatMap((key): [string, PublisherRow][] => {
      const row = found.get(ownerIdOf(key)) ?? found.get(null);
      return row === undefined ? [] : [[key, row]];
    }),
  );
}

type ByUser = Map<string | null, PublisherRow>;

const DATES = { verifiedAt: "date", handleChangedAt: "date", createdAt: "date", updatedAt: "date" } as const;
const ofUsers = (dialect: Dialect) =>
  `SELECT * FROM "Publisher" WHERE "userId" IN ${jsonList(dialect)} OR "id" = '${ORG}'`;
const OF_USERS = query<PublisherRow>({ sqlite: ofUsers("sqlite"), postgresql: ofUsers("postgresql") }, DATES);
const BY_HANDLE = query<PublisherRow>(`SELECT * FROM "Publisher" WHERE "handle" = ?`, DATES);
const BY_FORMER = query<PublisherRow>(
  `SELECT p.* FROM "FormerHandle" f JOIN "Publisher" p ON p."id" = f."publisherId" WHERE f."handle" = ? AND f."until" > ?`,
  DATES,
);

async function readPublishers(ctx: Ctx, userIds: (string | null)[]): Promise<ByUser> {
  const rows = await sqlOf(ctx).all(OF_USERS, JSON.stringify(userIds.filter((id) => id !== null)));
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Reads again first: another request may have created them. */
function ensurePublishers(ctx: Ctx, userIds: (string | null)[]): Promise<ByUser> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const known = await readPublishers(txCtx, userIds);
    const ids = userIds.filter((id) => id !== null && !known.has(id)) as string[];
    const users = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true, email: true } });
    if (!known.has(null)) {
      known.set(null, await makePublisher(tx, txCtx, { id: ORG, userId: null, name: "Organisation", wish: ORG }));
    }
    for (const user of users) {
      const wish = proposeHandle(user);
      known.set(user.id, await makePublisher(tx, txCtx, { id: newId(), userId: user.id, name: user.name, wish }));
    }
    return known;
  });
}

type NewPublisher = { id: string; userId: string | null; name: string; wish: string };

async function makePublisher(tx: Tx, ctx: Ctx, { id, userId, name, wish }: NewPublisher): Promise<PublisherRow> {
  const at = ctx.now();
  let handle = wish;
  for (let number = 2; !(await isHandleFree(tx, { handle, publisherId: id, now: at })); number += 1) {
    handle = `${wish}-${number}`;
  }
  const row = await tx.publisher.create({
    data: { id, handle, displayName: name, userId, createdAt: at, updatedAt: at },
  });
  // The server is the actor: viewing a skill creates its publisher.
  const asServer: Ctx = { ...ctx, actor: { kind: "system", name: "publishers" } };
  await recordEvent(tx, asServer, {
    action: "publisher.create",
    summary: `created the publisher ${handle} for ${name}`,
    concerns: userId,
    target: { kind: "publisher", id, name: handle },
  });
  return row;
}

/** A handle from the name, else from the local part of the email address, else `publisher`; it may be taken. */
export function proposeHandle({ name, email }: { name: string; email: string }): string {
  return asciiSlug(name, STEM) || asciiSlug(email.split("@")[0] ?? "", STEM) || "publisher";
}

const RESERVED = "me";

type Wanted = { handle: string; publisherId: string; now: Date };

/** Whether a publisher may take a handle: it is unused, and no former handle of another publisher still redirects. */
export async function isHandleFree(tx: Tx, { handle, publisherId, now }: Wanted): Promise<boolean> {
  if (handle === RESERVED) return false;
  const taken = await tx.publisher.findUnique({ where: { handle }, select: { id: true } });
  if (taken !== null && taken.id !== publisherId) return false;
  const former = await tx.formerHandle.findUnique({ where: { handle } });
  return former === null || former.publisherId === publisherId || former.until <= now;
}

/** The publisher with this current handle, or former one of the last 30 days, without an access check. */
export async function findPublisher(ctx: Ctx, handle: string): Promise<PublisherRow | null> {
  const wanted = handle.toLowerCase();
  const found = await sqlOf(ctx).get(BY_HANDLE, wanted);
  return found ?? (await sqlOf(ctx).get(BY_FORMER, wanted, ctx.now())) ?? null;
}

/** Filter for the skills of a publisher; the inverse of `publisherOf`. */
export function ownedBy({ userId }: { userId: string | null }): Prisma.SkillWhereInput {
  if (userId !== null) return { ownerId: userId };
  return {
    OR: [
      { ownerKey: ORG },
      { ownerKey: { startsWith: "persona:" } },
      { ownerKey: { startsWith: "integration:", endsWith: `:${ORG}` } },
    ],
  };
}

/** The rule of `ownedBy` for rows in memory. */
export function isOwnedBy(
  { userId }: { userId: string | null },
  { ownerKey, ownerId }: Owned & { ownerId: string | null },
): boolean {
  if (userId !== null) return ownerId === userId;
  const owner = parseOwnerKey(ownerKey);
  return owner.kind === "org" || owner.kind === "persona" || (owner.kind === "integration" && owner.userId === null);
}

/** Minimum time between changes of a handle, in milliseconds. */
export const HANDLE_COOLDOWN_MS = 24 * 3_600_000;

type Counted = Owned & { ownerId: string | null; skills: number };

/** Numbers of the skills that the actor sees, by owner. */
export function countVisible(ctx: Ctx, actor: PersonActor): Promise<Counted[]> {
  return readComposed<Counted>(
    ctx,
    Prisma.sql`SELECT s."ownerKey", s."ownerId", COUNT(*) AS "skills" FROM "Skill" s WHERE ${visibleSql(actor)}
      GROUP BY s."ownerKey", s."ownerId"`,
  );
}

export async function presentPublisher(ctx: Ctx, actor: PersonActor, row: PublisherRow): Promise<Publisher> {
  return presentCounted(ctx, actor, row, await countVisible(ctx, actor));
}

/** `counted`: of `countVisible`. */
export function presentCounted(ctx: Ctx, actor: PersonActor, row: PublisherRow, counted: Counted[]): Publisher {
  const freeAt = row.handleChangedAt === null ? 0 : row.handleChangedAt.getTime() + HANDLE_COOLDOWN_MS;
  return {
    ...publisherRef(row),
    id: row.id,
    kind: row.userId === null ? "org" : "user",
    bio: row.bio,
    homepage: row.homepage,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    skills: counted.reduce((sum, of) => sum + (isOwnedBy(row, of) ? of.skills : 0), 0),
    editable: canEditPublisher(actor, row),
    handleFreeAt: freeAt > ctx.now().getTime() ? new Date(freeAt).toISOString() : null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function publisherRef(row: Pick<PublisherRow, "handle" | "displayName" | "verifiedAt">): PublisherRef {
  return { handle: row.handle, name: row.displayName, verified: row.verifiedAt !== null };
}

/** Whether the actor is the publisher's person or an admin. */
export function canEditPublisher(actor: PersonActor, row: Pick<PublisherRow, "userId">): boolean {
  return hasScope(actor, "admin") || (row.userId === actor.userId && hasScope(actor, "write"));
}

/** Converts a text to lowercase letters, digits and single hyphens, at most `max` characters; possibly empty. */
export function asciiSlug(text: string, max: number): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, max)
    .replace(/-$/, "");
}
