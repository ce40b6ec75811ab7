import { z } from "zod";
import "./field-errors";

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

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  rule: z.string().optional().describe("The policy rule that refuses."),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

export const QueryFlag = z.enum(["true", "false"]).transform((value) => value === "true");

/**
 * A name or title: one line of at most `max` characters, without control characters, line separators, lone surrogates
 * and bidirectional marks, which make one name look like another.
 */
export function lineOfText(max: number) {
  return z.string().regex(PLAIN_LINE, "must be one line without control characters").trim().min(1).max(max);
}

const PLAIN_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** Refuses control characters before trimming or URL parsing would drop them. */
export const withoutControls = z.string().regex(/^[^\p{Cc}]*$/u, "must not contain control characters");

/** A moment in UTC. PostgreSQL has no year 0000, which ISO 8601 allows. */
export const IsoTime = z.iso.datetime().refine((time) => !time.startsWith("0000"), "must be in the year 0001 or later");
