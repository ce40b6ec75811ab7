import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { countInstalls } from "@/lib/skills/community/popularity";
import { answerIndex } from "./answer-endpoint";
import { identifyRootViewer } from "./identify-viewer";
import { listPublished } from "./list-published";
import { publicAddress } from "./public-address";
import type { Published } from "./published";
import { takeFirst } from "./take-first";

export const SearchQuery = z.object({
  q: z.string().max(200).default(""),
  limit: z.coerce.number().int().min(1).max(100).catch(20).default(20),
  owner: z.string().max(100).optional().describe("Handle of a publisher."),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchAnswer = z.object({
  query: z.string(),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      source: z.string().describe("URL of the skill's own scope, for `npx skills add`."),
      installs: z.number().int(),
      description: z.string(),
      deprecated: z
        .object({ reason: z.string(), useInstead: z.string().nullable() })
        .optional()
        .describe("Owner's reason, and `@publisher/name` of the replacement."),
    }),
  ),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/**
 * Finds offered skills that contain every word of `q` in name, description, tags or publisher; matches in the name
 * first, then by installs. An empty `q` finds all.
 */
async function searchPublished(ctx: Ctx, { q, limit, owner }: SearchQuery): Promise<SearchAnswer> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await listPublished(ctx, { kind: "root" });
  const found = all.filter((one) => (owner === undefined || one.publisher.handle === owner) && holds(one, words));
  const ids = found.map(({ skill }) => skill.id);
  const installs = await countInstalls(ctx, ids);
  const scored = found.map((one) => ({ one, score: scoreOf(one, words), installs: installs.get(one.skill.id) ?? 0 }));
  const first = takeFirst(
    scored,
    limit,
    (a, b) => b.score - a.score || b.installs - a.installs || (a.one.name < b.one.name ? -1 : 1),
  );
  return {
    query: q,
    skills: first.map(({ one, installs: count }) => ({
      id: `${one.publisher.handle}/${one.name}`,
      name: one.name,
      source: publicAddress(`/s/${one.publisher.handle}/${one.name}`),
      installs: count,
      description: one.description,
      ...(one.deprecated === null ? {} : { deprecated: one.deprecated }),
    })),
  };
}

function holds({ name, description, publisher, skill }: Published, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = `${name} ${description} ${publisher.handle} ${skill.tags} ${skill.label ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function scoreOf({ name }: Published, words: string[]): number {
  if (words.length === 0) return 0;
  if (words.join("-") === name) return 3;
  if (name.startsWith(words[0] ?? "")) return 2;
  return words.every((word) => name.includes(word)) ? 1 : 0;
}

export async function serveSearch(
  ctx: Ctx,
  { request, query }: { request: Request; query: SearchQuery },
): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  return answerIndex(request, viewer, "search", async () => ({
    body: JSON.stringify(await searchPublished(viewer.ctx, query)),
  }));
}
