import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { dependencyNames, slugOf } from "@/lib/skill-format/manifest/skill-names";
import { SkillManifest } from "@/lib/skill-format/schema";
import { ORG, requireOwnerKey } from "@/lib/skills/skill-access";
import { requireEntry, type VisibleCatalog, visibleCatalog } from "../browse/visible-catalog";
import type { EntryWithSource } from "./read-folder";
import type { Dependency, DependencyTree, InstallInput } from "./schema";

const MAX_NODES = 300;
/** For all members of a pack: each name costs a few queries. */
const MAX_PACK_NODES = 3_000;

/** `entries` are to be installed with the entry, the deepest first. `problems` name what is missing or blocked. */
type Plan = { nodes: Dependency[]; entries: EntryWithSource[]; problems: string[] };

/** What an entry needs, as a tree in the order of reading, before it is installed for an owner. */
export async function getDependencies(
  ctx: Ctx,
  { id, owner }: { id: string; owner: InstallInput["owner"] },
): Promise<DependencyTree> {
  const actor = requireScope(ctx.actor, "read");
  const shown = await visibleCatalog(ctx);
  const placed = await requireEntry(ctx, shown, id);
  const { nodes, problems } = await planDependencies(ctx, shown, placed, requireOwnerKey(actor, owner));
  return { dependencies: nodes, problems };
}

/**
 * Resolves what an entry needs. A name means a skill that the owner or the organisation already has, else a skill of the same source; other
 * sources are only named, so that a publisher cannot slip in a skill under a name that others need. `invalid` above 300 names, and above 3,000 of
 * the entries that share `spent`.
 */
export async function planDependencies(
  ctx: Ctx,
  shown: VisibleCatalog,
  root: EntryWithSource,
  ownerKey: string,
  spent = { names: 0 },
): Promise<Plan> {
  const plan: Plan = { nodes: [], entries: [], problems: [] };
  await addNeeds(root, [root.entry.id]);
  return plan;

  async function addNeeds(placed: EntryWithSource, path: string[]): Promise<void> {
    for (const name of dependencyNames(parseJsonColumn(SkillManifest, placed.entry.manifest))) {
      if (plan.nodes.length >= MAX_NODES) {
        throw new AppError(
          "invalid",
          `“${root.entry.name}” needs more than ${MAX_NODES} skills. Install them one by one.`,
        );
      }
      spent.names += 1;
      if (spent.names > MAX_PACK_NODES) {
        throw new AppError(
          "invalid",
          `The skills of this pack need more than ${MAX_PACK_NODES} skills together. Install them one by one.`,
        );
      }
      await addNeed(name, placed, path);
    }
  }

  async function addNeed(name: string, by: EntryWithSource, path: string[]): Promise<void> {
    const node: Dependency = { name, depth: path.length, state: "missing", entryId: null, skillId: null, note: null };
    plan.nodes.push(node);
    const slug = slugOf(name);
    const here = await ctx.db.skill.findFirst({
      where: { liveSlug: slug, ownerKey: { in: [ownerKey, ORG] }, deletedAt: null },
      select: { id: true },
    });
    if (here !== null) return void Object.assign(node, { state: "installed", skillId: here.id });
    const found = await findInSource(by, slug);
    if (found === null) {
      node.note = await describeElsewhere(slug, by);
      plan.problems.push(
        `“${name}” (needed by “${by.entry.name}”) is not in the same source.${node.note ? ` ${node.note}` : ""}`,
      );
      return;
    }
    node.entryId = found.entry.id;
    if (path.includes(found.entry.id)) {
      return void Object.assign(node, { state: "cycle", note: "It is needed by a skill that it needs itself." });
    }
    if (found.entry.blockedCode !== null) {
      Object.assign(node, { state: "blocked", note: found.entry.blockedReason });
      plan.problems.push(`“${name}” (needed by “${by.entry.name}”) cannot be installed: ${found.entry.blockedReason}`);
      return;
    }
    node.state = "listed";
    if (plan.entries.some(({ entry }) => entry.id === found.entry.id)) return;
    await addNeeds(found, [...path, found.entry.id]);
    plan.entries.push(found);
  }

  /** The skill of that name beside the one that needs it, else the only one of the source. */
  async function findInSource({ entry, source }: EntryWithSource, slug: string): Promise<EntryWithSource | null> {
    const rows = await ctx.db.catalogEntry.findMany({
      where: { sourceId: source.id, state: "present", slug },
      orderBy: { folder: "asc" },
    });
    const beside = rows.find(({ folder }) => parentOf(folder) === parentOf(entry.folder));
    const isOne = new Set(rows.map(({ contentKey }) => contentKey)).size === 1;
    const row = beside ?? (isOne ? rows[0] : undefined);
    return row === undefined ? null : { entry: row, source };
  }

  async function describeElsewhere(slug: string, { source }: EntryWithSource): Promise<string | null> {
    const others = shown.sources.filter(({ id }) => id !== source.id);
    const rows = await ctx.db.catalogEntry.findMany({
      where: { sourceId: { in: others.map(({ id }) => id) }, state: "present", slug },
      select: { sourceId: true },
      take: 20,
    });
    const labels = new Set(rows.map((row) => others.find(({ id }) => id === row.sourceId)?.label));
    return labels.size === 0 ? null : `Install it first from ${[...labels].sort().join(" or ")}.`;
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
}
