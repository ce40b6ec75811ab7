import { z } from "zod";
import { parseJsonStrict } from "@/lib/skill-format/json-values";
import { isRepositoryPath } from "../github/names";
import type { SkippedFolder } from "../sources/schema";
import { MAX_DECLARATION_BYTES } from "./find-skills";
import type { TreeEntry } from "./source-reader";
import { GROUPS_FILE, INDEX_FILE, MARKETPLACE_FILES } from "./source-reader";

export type Declaration = { path: string; base: string; sha: string; size: number };

/**
 * Finds the declaring files at the root of the source's folder, else of the repository. `base` is the folder that their
 * paths are relative to. Only the first marketplace file is used.
 */
export function findDeclarations(
  entries: TreeEntry[],
  folder: string | null,
): { found: Declaration[]; skipped: SkippedFolder[] } {
  const blobs = new Map(entries.filter((entry) => entry.type === "blob").map((entry) => [entry.path, entry]));
  const bases = folder === null ? [""] : [`${folder}/`, ""];
  const pick = (names: string[]) => {
    for (const base of bases) {
      for (const name of names) {
        const entry = blobs.get(`${base}${name}`);
        if (entry && entry.mode !== "120000") return { path: entry.path, base, sha: entry.sha, size: entry.size ?? 0 };
      }
    }
    return null;
  };
  const all = [pick(MARKETPLACE_FILES), pick([GROUPS_FILE]), pick([INDEX_FILE])].filter((item) => item !== null);
  return {
    found: all.filter((item) => item.size <= MAX_DECLARATION_BYTES),
    skipped: all
      .filter((item) => item.size > MAX_DECLARATION_BYTES)
      .map((item) => ({
        folder: item.path,
        code: "too_large",
        reason: `The file has ${item.size} bytes; the limit is ${MAX_DECLARATION_BYTES}.`,
      })),
  };
}

export type FoundPack = {
  key: string;
  kind: "plugin" | "group";
  name: string;
  description: string;
  version: string | null;
  category: string | null;
  members: string[];
};

export type Member = { folder: string; name: string; slug: string };
type Declared = { path: string; base: string; text: string };

const Text = z.string().trim().max(2_000).catch("");
const Name = z.string().trim().min(1).max(200);
const MAX_PACKS = 2_000;

/** Claude Code's `marketplace.json`. https://code.claude.com/docs/en/plugin-marketplaces */
const Marketplace = z.object({
  metadata: z.object({ pluginRoot: z.string().optional() }).optional().catch(undefined),
  plugins: z.array(z.unknown()).max(MAX_PACKS),
});
const Plugin = z.object({
  name: Name,
  description: Text.default(""),
  version: z.string().max(100).nullish().catch(null),
  category: z.string().max(100).nullish().catch(null),
  source: z.unknown(),
  skills: z
    .union([z.array(z.string()), z.string().transform((path) => [path])])
    .nullish()
    .catch(null),
});

const Groups = z.object({ groupings: z.array(z.unknown()).max(MAX_PACKS) });
const Group = z.object({ title: Name, description: Text.default(""), skills: z.array(z.string()) });

/**
 * Reads the declared packs. A plugin without a list of skills contains all below its folder. Plugins from other
 * repositories, and packs without any listed skill, are skipped with a reason.
 */
export function readPacks(files: Declared[], members: Member[]): { packs: FoundPack[]; skipped: SkippedFolder[] } {
  const packs: FoundPack[] = [];
  const skipped: SkippedFolder[] = [];
  for (const file of files) {
    const read = MARKETPLACE_FILES.some((name) => file.path.endsWith(name)) ? readPlugins : readGroups;
    if (read === readGroups && !file.path.endsWith(GROUPS_FILE)) continue;
    const json = parseJsonStrict(file.text);
    const found = json.ok ? read(json.value, file, members) : null;
    if (found === null) {
      skipped.push({
        folder: file.path,
        code: "pack_unreadable",
        reason: "The file does not have the format that its name stands for.",
      });
      continue;
    }
    for (const pack of found) {
      if (typeof pack === "string") skipped.push({ folder: file.path, code: "pack_without_skills", reason: pack });
      else if (!packs.some((other) => other.key === pack.key)) packs.push(pack);
    }
  }
  return { packs, skipped };
}

function readPlugins(value: unknown, file: Declared, members: Member[]): (FoundPack | string)[] | null {
  const marketplace = Marketplace.safeParse(value);
  if (!marketplace.success) return null;
  const { metadata, plugins } = marketplace.data;
  return plugins.map((item) => {
    const parsed = Plugin.safeParse(item);
    if (!parsed.success) return "A plugin without a name was skipped.";
    const { name, description, version = null, category = null, source, skills } = parsed.data;
    const root = placeOf(source, metadata?.pluginRoot);
    if (root === null) return `The plugin “${name}” is outside this repository.`;
    const base = join(file.base, root);
    if (base === null) return `The plugin “${name}” has a path outside the repository.`;
    const places = skills ? skills.map((path) => join(base, path)) : [base];
    const inPack = members.filter(({ folder }) =>
      places.some((place) => place !== null && `${folder}/`.startsWith(place)),
    );
    if (inPack.length === 0) return `The plugin “${name}” has none of the listed skills.`;
    const folders = inPack.map((member) => member.folder);
    return { key: `${file.path}#${name}`, kind: "plugin", name, description, version, category, members: folders };
  });
}

function readGroups(value: unknown, file: Declared, members: Member[]): (FoundPack | string)[] | null {
  const groups = Groups.safeParse(value);
  if (!groups.success) return null;
  return groups.data.groupings.map((item) => {
    const parsed = Group.safeParse(item);
    if (!parsed.success) return "A group without a title or a list of skills was skipped.";
    const { title, description, skills } = parsed.data;
    const wanted = new Set(skills.map((name) => name.replace(/^\.\/|\/$/g, "")));
    const inPack = members.filter(
      ({ folder, name, slug }) =>
        wanted.has(name) || wanted.has(slug) || wanted.has(folder) || wanted.has(lastOf(folder)),
    );
    if (inPack.length === 0) return `The group “${title}” has none of the listed skills.`;
    const folders = inPack.map((member) => member.folder);
    const key = `${file.path}#${title}`;
    return { key, kind: "group", name: title, description, version: null, category: null, members: folders };
  });
}

/** The folder of a plugin in this repository; null for another repository. */
function placeOf(source: unknown, pluginRoot: string | undefined): string | null {
  if (source === undefined) return ".";
  if (typeof source !== "string" || /^[a-z+]+:|^git@/i.test(source)) return null;
  return pluginRoot === undefined || source.startsWith("./") ? source : `${pluginRoot}/${source}`;
}

/** Joins a path to a folder (ending with `/`, or empty); null when the result is outside the repository. */
function join(base: string, path: string): string | null {
  const plain = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const joined = plain.length === 0 ? base : `${base}${plain.join("/")}/`;
  return joined === "" || isRepositoryPath(joined.slice(0, -1)) ? joined : null;
}

function lastOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("/") + 1);
}
