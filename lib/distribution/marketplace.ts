import { z } from "zod";
import { keepParsed } from "@/lib/core/json";
import { isReservedMarketplace, renameReserved } from "@/lib/policy/marketplace-name";
import type { Viewer } from "./identify-viewer";
import { describePublished, type Published } from "./published";
import type { Marketplace, MarketplaceSource } from "./schema";

const Tags = z.array(z.string());

type Composed = {
  name: string;
  instance: string;
  skills: readonly Published[];
  names: ReadonlyMap<string, string>;
  sourceOf(one: Published): MarketplaceSource;
};

/**
 * Returns one plugin per skill. Its version is that of the active version: clients update only when it changes. Claude
 * Code uninstalls a plugin that is no longer listed, as after a revocation.
 */
export function composeMarketplace({ name, instance, skills, names, sourceOf }: Composed): Marketplace {
  return {
    name,
    owner: { name: instance },
    metadata: { description: `The skills that were reviewed and approved on ${instance}.` },
    forceRemoveDeletedPlugins: true,
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

export function folderOf({ name }: Pick<Published, "name">): string {
  return `skills/${name}`;
}

const MAX_NAME = 100;

/**
 * Marketplace name of a scope. Clients hold one marketplace per name, so each scope has its own; names reserved by
 * client vendors are changed.
 */
export function nameMarketplace(base: string, { scope, base: below }: Pick<Viewer, "scope" | "base">): string {
  const words = [base, ...wordsOf(scope, below !== "")].join("-");
  const name = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return isReservedMarketplace(name) ? renameReserved(name) : name;
}

function wordsOf(scope: Viewer["scope"], isCapability: boolean): string[] {
  if (isCapability) return ["private"];
  if (scope.kind === "skill") return [scope.publisher, scope.name];
  if (scope.kind === "publisher") return [scope.handle];
  return scope.kind === "collection" ? [scope.slug] : [];
}
