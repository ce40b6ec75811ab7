import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { ancestors } from "@/lib/skill-format/archive/archive-entry";
import { missingPackKeys } from "@/lib/skill-format/archive/split-skills";
import { parseJsonStrict } from "@/lib/skill-format/json-values";
import type { GitHubClient } from "../github/create-client";
import type { OperatorIndexEntry } from "../schema";
import type { SkippedFolder } from "../sources/schema";
import { type Declaration, type FoundPack, findDeclarations, INDEX_FILE, type Member, readPacks } from "./declarations";
import { type FoundSkill, findSkills } from "./find-skills";
import { contentKeyOf, type IndexedEntry, indexSkill } from "./index-skill";
import { listTree } from "./list-tree";
import { loadBlobs, missingBlobs, readBlobs, type WantedBlob } from "./read-blobs";

const Sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(sha256:)?[0-9a-f]{64}$/)
  .transform((text) => text.replace(/^sha256:/, ""));

const Texts = z.array(z.string().trim().min(1).max(100)).max(50).default([]);

/** `skillgate-index.json`: what the operators of a source declare about its skills. Documented in docs/admins.md. */
const Index = z.object({ skills: z.array(z.unknown()).max(100_000) });

const Item = z.object({
  folder: z.string().transform((path) => path.replace(/^\.?\/+|\/+$/g, "").replace(/^\.$/, "")),
  name: z.string().trim().max(200).nullable().default(null),
  version: z.string().trim().max(100).nullable().default(null),
  sha256: Sha256.nullable().default(null),
  tags: Texts,
  requiredCapabilities: Texts,
});

export type Snapshot = {
  treeEtag: string | null;
  entries: IndexedEntry[];
  kept: string[];
  packs: FoundPack[];
  skipped: SkippedFolder[];
};

type Source = { id: string; owner: string; repo: string; folder: string | null; isPrivate: boolean };
type Options = {
  source: Source;
  commit: { sha: string; treeSha: string };
  /** Null forces a complete read. */
  treeEtag: string | null;
  reuse: boolean;
  onProgress(progress: { done: number; total: number }): Promise<void>;
};

/** Batch size that keeps the event loop responsive. */
const SKILLS_AT_ONCE = 40;
const NO_BYTES = new Uint8Array();

/** Lists the tree, reads new blobs and indexes changed skills. Stores blobs, but no entries. */
export async function collectSnapshot(
  ctx: Ctx,
  client: GitHubClient,
  { source, commit, treeEtag, reuse, onProgress }: Options,
): Promise<Snapshot | "unchanged"> {
  const place = { name: { owner: source.owner, repo: source.repo }, commit: commit.sha, isPrivate: source.isPrivate };
  const where = { name: place.name, commit: commit.sha, treeSha: commit.treeSha, folder: source.folder };
  const listing = await listTree(client, where, treeEtag);
  if (listing === "unchanged") return "unchanged";
  const scope = { folder: source.folder, treeSha: commit.treeSha };
  const listed = findSkills(listing.entries, scope);
  const declared = findDeclarations(listing.entries, source.folder);
  const missing = await missingBlobs(ctx, [
    ...declared.found,
    ...listed.skills.flatMap((skill) =>
      skill.toRead.map((file) => ({
        sha: file.sha,
        path: skill.folder === "" ? file.path : `${skill.folder}/${file.path}`,
      })),
    ),
  ] satisfies WantedBlob[]);
  const progress = { done: 0, total: missing.length };
  await onProgress(progress);
  await readBlobs(ctx, client, place, missing, async (count) => {
    progress.done += count;
    await onProgress(progress);
  });

  const notSkills = await findNestedManifests(ctx, listed.skills);
  const { skills, skipped } = notSkills.size === 0 ? listed : findSkills(listing.entries, { ...scope, notSkills });
  skipped.push(...declared.skipped);

  const files = await readDeclarations(ctx, declared.found);
  const index = files.find((file) => file.path.endsWith(INDEX_FILE));
  const operatorIndex = index === undefined ? null : readOperatorIndex(index);
  skipped.push(...(operatorIndex?.skipped ?? []));
  const operatorEntryOf = (folder: string) => ({
    entry: operatorIndex?.entries.get(folder) ?? null,
    isBroken: operatorIndex?.broken.has(folder) ?? false,
  });
  const known = reuse ? await loadKnown(ctx, source.id) : new Map<string, Known>();
  const isKept = (skill: FoundSkill) => isSame(skill, known.get(skill.folder), operatorEntryOf(skill.folder));
  const kept = skills.filter(isKept);
  const fresh = skills.filter((skill) => !isKept(skill));

  const entries: IndexedEntry[] = [];
  for (let start = 0; start < fresh.length; start += SKILLS_AT_ONCE) {
    const some = fresh.slice(start, start + SKILLS_AT_ONCE);
    const bytes = await loadBlobs(ctx, [...new Set(some.flatMap((skill) => skill.toRead.map((file) => file.sha)))]);
    for (const skill of some) {
      const options = { repo: source.repo, operator: operatorEntryOf(skill.folder) };
      const result = indexSkill(skill, (sha) => bytes.get(sha) ?? NO_BYTES, options);
      if ("entry" in result) entries.push(result.entry);
      else skipped.push({ folder: skill.folder, ...result.skipped });
    }
  }
  const members: Member[] = [...entries, ...kept.flatMap((skill) => known.get(skill.folder) ?? [])];
  const packs = readPacks(files, members);
  skipped.push(...packs.skipped, ...describeMissing(operatorIndex?.entries, members));
  return {
    treeEtag: listing.etag,
    entries,
    kept: kept.map((skill) => skill.folder),
    packs: packs.packs,
    skipped,
  };
}

/** Folders inside a skill whose `skill.json` is not that of a pack: their files belong to the skill. */
async function findNestedManifests(ctx: Ctx, skills: FoundSkill[]): Promise<Set<string>> {
  const strong = new Set(skills.filter(({ marker }) => marker.path !== "skill.json").map(({ folder }) => folder));
  const isInside = (folder: string) =>
    folder !== "" && ["", ...ancestors(folder)].some((above) => above !== folder && strong.has(above));
  const asked = skills.filter(({ marker, folder }) => marker.path === "skill.json" && isInside(folder));
  const foreign = new Set<string>();
  for (let start = 0; start < asked.length; start += SKILLS_AT_ONCE) {
    const some = asked.slice(start, start + SKILLS_AT_ONCE);
    const bytes = await loadBlobs(
      ctx,
      some.map(({ marker }) => marker.sha),
    );
    for (const { marker, folder } of some) {
      if (missingPackKeys(bytes.get(marker.sha) ?? NO_BYTES).length > 0) foreign.add(folder);
    }
  }
  return foreign;
}

async function readDeclarations(ctx: Ctx, declared: Declaration[]) {
  const bytes = await loadBlobs(
    ctx,
    declared.map((file) => file.sha),
  );
  return declared.map((file) => ({ ...file, text: Buffer.from(bytes.get(file.sha) ?? NO_BYTES).toString("utf8") }));
}

type Known = Member & { treeSha: string; contentKey: string; operatorIndex: string | null; blockedCode: string | null };

async function loadKnown(ctx: Ctx, sourceId: string): Promise<Map<string, Known>> {
  const select = {
    folder: true,
    name: true,
    slug: true,
    treeSha: true,
    contentKey: true,
    operatorIndex: true,
    blockedCode: true,
  };
  const rows = await ctx.db.catalogEntry.findMany({ where: { sourceId }, select });
  return new Map(rows.map((row) => [row.folder, row]));
}

function isSame(
  skill: FoundSkill,
  known: Known | undefined,
  operator: { entry: OperatorIndexEntry | null; isBroken: boolean },
): boolean {
  return (
    known !== undefined &&
    known.treeSha === skill.treeSha &&
    known.contentKey === contentKeyOf(skill.files) &&
    known.operatorIndex === (operator.entry && JSON.stringify(operator.entry)) &&
    (known.blockedCode === "index_entry_unreadable") === operator.isBroken
  );
}

function describeMissing(operator: Map<string, OperatorIndexEntry> | undefined, members: Member[]): SkippedFolder[] {
  const there = new Set(members.map((member) => member.folder));
  return [...(operator?.keys() ?? [])]
    .filter((folder) => !there.has(folder))
    .map((folder) => ({
      folder,
      code: "index_without_skill",
      reason: "The index file names this folder, but it has no skill.",
    }));
}

/**
 * Reads an index file by folder. Unreadable entries are skipped with a reason; `broken` has their folders, so that an
 * entry whose declaration cannot be checked is blocked.
 */
function readOperatorIndex(file: { path: string; base: string; text: string }): {
  entries: Map<string, OperatorIndexEntry>;
  broken: Set<string>;
  skipped: SkippedFolder[];
} {
  const entries = new Map<string, OperatorIndexEntry>();
  const broken = new Set<string>();
  const skipped: SkippedFolder[] = [];
  const json = parseJsonStrict(file.text);
  const index = Index.safeParse(json.ok ? json.value : undefined);
  if (!index.success) {
    skipped.push({
      folder: file.path,
      code: "index_unreadable",
      reason: "The index file is not JSON with a list “skills”.",
    });
    return { entries, broken, skipped };
  }
  for (const [position, item] of index.data.skills.entries()) {
    const parsed = Item.safeParse(item);
    if (parsed.success) {
      const folder = `${file.base}${parsed.data.folder}`.replace(/\/$/, "");
      entries.set(folder, { ...parsed.data, folder });
      continue;
    }
    const issue = parsed.error.issues[0];
    const reason = `Entry ${position + 1}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "cannot be read"}.`;
    skipped.push({ folder: file.path, code: "index_entry_unreadable", reason });
    const named = z.object({ folder: Item.shape.folder }).safeParse(item);
    if (named.success) broken.add(`${file.base}${named.data.folder}`.replace(/\/$/, ""));
  }
  return { entries, broken, skipped };
}
