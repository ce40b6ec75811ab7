import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";

/** Encodes the position after which the next page starts. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Decodes a cursor and checks it against `schema`; throws `malformed` for an invalid one. */
export function decodeCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success)
    throw new AppError("malformed", "The cursor is not valid for this list. Start again without it.");
  return parsed.data;
}

/** Makes a page of rows read with `take: limit + 1`. */
export function toPage<Row, Item = Row>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => unknown,
  present = (row: Row) => row as unknown as Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null;
  return { items: shown.map((row) => present(row)), nextCursor };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema then refuses it with the same message.
  }
}
