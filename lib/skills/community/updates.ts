import { z } from "zod";
import { isPerson } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { readComposed } from "@/lib/db/sql";
import { hasScope } from "@/lib/policy/require-scope";
import { capDescription } from "@/lib/skill-format/cap-description";
import { type FilteredRow, personaFilter, readFiltered } from "../access/list-filters";
import { listedSql } from "../access/visible-skills";
import { publisherRef, publishersOf } from "./publishers";
import type { ListUpdatesQuery, Update } from "./schema";

const Position = z.tuple([z.iso.datetime(), z.string()]);
type Position = z.infer<typeof Position>;
type UpdateRow = FilteredRow & {
  description: string;
  versionId: string;
  digest: string;
  number: number;
  changelog: string | null;
  decidedAt: Date;
};
type StoredRow = Omit<UpdateRow, "current" | "pending"> & { ofCurrent: string | null; ofPending: string | null };

const PUBLIC = Prisma.sql`s."deletedAt" IS NULL AND s."visibility" = 'public'`;

/** Characters that are invalid in XML 1.0, even escaped. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const NEVER = "1970-01-01T00:00:00.000Z";

/**
 * Approved versions of enabled, visible skills, newest approval first; anonymous callers, and those without the scope
 * `read`, see public skills. Revoked versions are omitted.
 */
export async function listUpdates(ctx: Ctx, query: ListUpdatesQuery): Promise<Page<Update>> {
  const actor = isPerson(ctx.actor) && hasScope(ctx.actor, "read") ? ctx.actor : null;
  const isShown = actor === null ? () => true : await personaFilter(ctx, actor);
  const seen = actor === null ? PUBLIC : listedSql(actor);
  const before = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const take = query.limit + 1;
  const positionOf = ({ decidedAt, versionId }: UpdateRow): Position => [decidedAt.toISOString(), versionId];
  const rows = await readFiltered(take, before, {
    readPage: (from) => readPage(ctx, { seen, from, take }),
    positionOf,
    isShown,
  });
  const page = toPage(rows, query.limit, positionOf);
  return { items: await presentUpdates(ctx, page.items, actor !== null), nextCursor: page.nextCursor };
}

type Wanted = { seen: Prisma.Sql; from: Position | null; take: number };

async function readPage(ctx: Ctx, { seen, from, take }: Wanted): Promise<UpdateRow[]> {
  const at = from && new Date(from[0]);
  const older = from
    ? Prisma.sql`AND (v."decidedAt" < ${at} OR (v."decidedAt" = ${at} AND v."id" < ${from[1]}))`
    : Prisma.empty;
  const rows = await readComposed<StoredRow>(
    ctx,
    Prisma.sql`SELECT s."id", s."name", s."slug", s."toolName", s."class", s."currentId", s."ownerKey", s."sourceId",
        s."description", v."id" AS "versionId", v."digest", v."number", v."changelog", v."decidedAt",
        c."provenance" AS "ofCurrent", p."provenance" AS "ofPending"
      FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId"
      LEFT JOIN "Version" c ON c."id" = s."currentId" LEFT JOIN "Version" p ON p."id" = s."pendingId"
      WHERE v."state" = 'approved' AND v."decidedAt" IS NOT NULL AND ${seen} AND s."enabled" AND s."listed"
        AND s."currentId" IS NOT NULL ${older}
      ORDER BY v."decidedAt" DESC, v."id" DESC LIMIT ${take}`,
    { decidedAt: "date" },
  );
  const provenanceOf = (provenance: string | null) => (provenance === null ? null : { provenance });
  return rows.map(({ ofCurrent, ofPending, ...row }) => ({
    ...row,
    current: provenanceOf(ofCurrent),
    pending: provenanceOf(ofPending),
  }));
}

async function presentUpdates(ctx: Ctx, rows: UpdateRow[], mayOpenPages: boolean): Promise<Update[]> {
  const publishers = await publishersOf(ctx, rows);
  const { publicUrl } = getEnv();
  return rows.flatMap((row) => {
    const publisher = publishers.get(row.ownerKey);
    if (publisher === undefined) return [];
    const { id, name, slug, description } = row;
    return {
      skill: { id, name, description: capDescription(description) },
      publisher: publisherRef(publisher),
      digest: row.digest,
      number: row.number,
      approvedAt: row.decidedAt.toISOString(),
      changelog: row.changelog,
      serves: row.currentId === row.versionId,
      url: mayOpenPages
        ? `${publicUrl}/skills/${id}?tab=versions`
        : `${publicUrl}/s/${publisher.handle}/${encodeURIComponent(slug)}/.well-known/agent-skills/index.json`,
    };
  });
}

type Feed = { title: string; publicUrl: string; page: Page<Update>; cursor: string | undefined };

/** Formats a page of updates as an Atom feed (RFC 4287) with a link to the next page (RFC 5005). */
export function writeAtom({ title, publicUrl, page, cursor }: Feed): string {
  const address = (after: string | null | undefined) =>
    `${publicUrl}/api/updates.atom${after ? `?cursor=${encodeURIComponent(after)}` : ""}`;
  return [
    `<?xml version="1.0" encoding="utf-8"?>`,
    `<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<title>${text(title)}</title>`,
    `<id>${text(address(null))}</id>`,
    `<updated>${page.items[0]?.approvedAt ?? NEVER}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${text(address(cursor))}"/>`,
    ...(page.nextCursor === null ? [] : [`<link rel="next" href="${text(address(page.nextCursor))}"/>`]),
    ...page.items.map(entry),
    `</feed>`,
    "",
  ].join("\n");
}

function entry({ skill, publisher, digest, number, approvedAt, changelog, url }: Update): string {
  return [
    `<entry>`,
    `<title>${text(skill.name)} version ${number}</title>`,
    `<id>urn:skillgate:version:${skill.id}:${digest}</id>`,
    `<updated>${approvedAt}</updated>`,
    `<author><name>${text(publisher.name)}</name></author>`,
    `<link href="${text(url)}"/>`,
    `<summary>${text(changelog ?? skill.description)}</summary>`,
    `</entry>`,
  ].join("\n");
}

function text(raw: string): string {
  return raw
    .replaceAll(NOT_XML, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
