import type { Page } from "@/lib/core/schema";
import type { Update } from "./schema";

type Feed = { title: string; publicUrl: string; page: Page<Update>; cursor: string | undefined };

/** Characters that are invalid in XML 1.0, even escaped. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const NEVER = "1970-01-01T00:00:00.000Z";

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
