import { z } from "zod";
import "./field-errors";

/** Keyset paging, the same for every list. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(500).optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** A page of a list; `nextCursor` is null on the last one. */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

export type Page<T> = { items: T[]; nextCursor: string | null };

/** RFC 9457 problem details, with a stable `code`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  rule: z.string().optional().describe("The rule of the policy that refuses."),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** A query flag: `true` or `false`. */
export const QueryFlag = z.enum(["true", "false"]).transform((value) => value === "true");

/**
 * A name or title that people give: one line of at most `max` characters. Control characters are refused, and so are line
 * separators, halves of surrogate pairs and marks that turn the direction of the text, which make one name look like another.
 */
export function lineOfText(max: number) {
  return z.string().regex(PLAIN_LINE, "must be one line without control characters").trim().min(1).max(max);
}

const PLAIN_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/**
 * Text of a name, path, host or address, before anything is trimmed: control characters are refused also where trimming or a
 * parser of addresses would drop them.
 */
export const withoutControls = z.string().regex(/^[^\p{Cc}]*$/u, "must not hold control characters");

/** A moment in UTC. PostgreSQL has no year 0000, which ISO 8601 allows. */
export const IsoTime = z.iso.datetime().refine((time) => !time.startsWith("0000"), "must be in the year 0001 or later");
