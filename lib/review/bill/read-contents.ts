import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx } from "@/lib/db/context";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { createCard, eachLine, type Place, readTexts, type SkillText } from "../capabilities/card";
import { addFileFacts } from "../capabilities/file-facts";
import { readPackages } from "./read-packages";
import type { NamedPackage } from "./schema";

type Named = Place & { name: string };

/** What the files of a version name, read from their texts: up to 256 KiB of each file and 2 MiB in all. */
export type Contents = { packages: NamedPackage[]; programs: Named[]; models: Named[] };

const MAX_KEPT = 500;
const MODEL =
  /\b((?:claude|gpt|gemini|llama|mistral|qwen|deepseek)-(?=[a-z.-]{0,24}\d)[a-z0-9][a-z0-9.-]{0,60}[a-z0-9])\b/gi;
const MAX_MODELS = 100;

type Stored = Parameters<typeof readVersionFiles>[1] & { digest: string };

/** Kept by digest, because the same bytes name the same things. Throws `version_tampered` like every read of stored files. */
export async function readContents(ctx: Ctx, version: Stored): Promise<Contents> {
  const kept = storeOf(ctx.database, "contents-of-versions", () => new LRUCache<string, Contents>({ max: MAX_KEPT }));
  const known = kept.get(version.digest);
  if (known !== undefined) return known;
  await loopTurn();
  const files = await readVersionFiles(ctx, version);
  const texts = readTexts(files);
  const contents = { packages: readPackages(texts), programs: readPrograms(texts), models: readModels(texts) };
  kept.set(version.digest, contents);
  return contents;
}

function readPrograms(texts: SkillText[]): Named[] {
  const card = createCard();
  // Programs only: facts about paths could displace them.
  const add: typeof card.add = (group, fact) => (fact.kind === "program" ? card.add(group, fact) : undefined);
  for (const text of texts) addFileFacts({ ...card, add }, { texts: [text] });
  return card
    .groups()
    .flatMap(({ facts }) => facts.map(({ value, path, line }) => ({ name: value, path: path ?? "", line: line ?? 1 })));
}

function readModels(texts: SkillText[]): Named[] {
  const found = new Map<string, Named>();
  for (const { content, at } of eachLine(texts)) {
    for (const [, name = ""] of content.matchAll(MODEL)) {
      if (!found.has(name.toLowerCase()) && found.size < MAX_MODELS) found.set(name.toLowerCase(), { name, ...at });
    }
  }
  return [...found.values()];
}
