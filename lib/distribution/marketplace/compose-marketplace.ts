import { z } from "zod";
import { keepParsed } from "@/lib/core/keep-parsed";
import { describePublished } from "../describe-published";
import type { Published } from "../published";
import type { Marketplace, MarketplaceSource } from "./schema";

const Tags = z.array(z.string());

type Composed = {
  name: string;
  instance: string;
  skills: readonly Published[];
  /** Version names by version id. */
  names: ReadonlyMap<string, string>;
  sourceOf(one: Published): MarketplaceSource;
};

/**
 * One plugin for each skill. Its version is the one that serves, so it changes with every approval: clients update nothing
 * whose version stays.
 */
export function composeMarketplace({ name, instance, skills, names, sourceOf }: Composed): Marketplace {
  return {
    name,
    owner: { name: instance },
    metadata: { description: `The skills that were reviewed and approved on ${instance}.` },
    plugins: skills.map((one) => ({
      name: one.name,
      description: describePublished(one),
      version: names.get(one.version.id) ?? `1.${one.version.number}.0`,
      author: { name: one.publisher.displayName },
      category: one.skill.category,
      tags: [...keepParsed(Tags, one.skill.tags)],
      strict: false,
      source: sourceOf(one),
      skills: ["./"],
    })),
  };
}

/** Where a skill lies in the repository. */
export function folderOf({ name }: Pick<Published, "name">): string {
  return `skills/${name}`;
}
