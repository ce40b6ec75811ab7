import { z } from "zod";

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

export const IsoTime = z.iso.datetime();
