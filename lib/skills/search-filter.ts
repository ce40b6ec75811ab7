import { containsText } from "@/lib/db/contains-text";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { correctWord, createVocabulary, wordsOf } from "@/lib/skill-format/search-words";

const MAX_TYPED = 12;
/** Skills whose words are read to correct a search without results. */
const MAX_READ = 5_000;
const NOTHING: Prisma.SkillWhereInput = { id: "" };

/**
 * The filter for a search among the skills that `listed` allows: each typed word must occur in name, label, description or
 * tags. A word that occurs in none of these skills is taken for a typing error, and the nearest words count in its place.
 */
export async function searchFilter(
  ctx: Ctx,
  q: string | undefined,
  listed: readonly Prisma.SkillWhereInput[],
): Promise<Prisma.SkillWhereInput> {
  const typed = (q ?? "").split(/\s+/).filter(Boolean).slice(0, MAX_TYPED);
  const exact = typed.map((word) => withWord(ctx, word));
  if (typed.length === 0 || (await hasAny(ctx, [...listed, ...exact]))) return { AND: exact };
  const known = await Promise.all(exact.map((filter) => hasAny(ctx, [...listed, filter])));
  if (known.every(Boolean)) return { AND: exact };
  const vocabulary = await readVocabulary(ctx, listed);
  return {
    AND: typed.map((word, index) => {
      if (known[index]) return withWord(ctx, word);
      const parts = wordsOf(word);
      return parts.length === 0 ? NOTHING : { AND: parts.map((part) => withAny(ctx, correctWord(part, vocabulary))) };
    }),
  };
}

function withWord({ database }: Ctx, word: string): Prisma.SkillWhereInput {
  return {
    OR: [
      { name: containsText(database, word) },
      { slug: { contains: word.toLowerCase() } },
      { label: containsText(database, word) },
      { description: containsText(database, word) },
      { tags: containsText(database, word) },
    ],
  };
}

function withAny(ctx: Ctx, words: readonly string[]): Prisma.SkillWhereInput {
  return words.length === 0 ? NOTHING : { OR: words.map((word) => withWord(ctx, word)) };
}

async function hasAny(ctx: Ctx, where: Prisma.SkillWhereInput[]): Promise<boolean> {
  return (await ctx.db.skill.findFirst({ where: { AND: where }, select: { id: true } })) !== null;
}

async function readVocabulary(ctx: Ctx, listed: readonly Prisma.SkillWhereInput[]) {
  const rows = await ctx.db.skill.findMany({
    where: { AND: [...listed] },
    select: { name: true, label: true, tags: true },
    take: MAX_READ,
  });
  const counts = new Map<string, number>();
  for (const { name, label, tags } of rows) {
    for (const word of wordsOf(`${name} ${label ?? ""} ${tags}`, Number.POSITIVE_INFINITY))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return createVocabulary({ words: [...counts.keys()], counts: [...counts.values()] });
}
