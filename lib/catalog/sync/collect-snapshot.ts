import type { Ctx } from "@/lib/db/context";
import { missingPackKeys } from "@/lib/skill-format/foreign-skill-json";
import { ancestors } from "@/lib/skill-format/safe-path";
import type { GitHubClient } from "../github/create-client";
import type { OperatorIndexEntry } from "../schema";
import type { SkippedFolder } from "../sources/schema";
import { type Declaration, findDeclarations, INDEX_FILE } from "./declarations";
import { type FoundSkill, findSkills } from "./find-skills";
import { contentKeyOf, type IndexedEntry, indexSkill } from "./index-skill";
import { listTree } from "./list-tree";
import { loadBlobs, missingBlobs, readBlobs, type WantedBlob } from "./read-blobs";
import { readOperatorIndex } from "./read-operator-index";
import { type FoundPack, type Member, readPacks } from "./read-packs";

/** What a repository holds at one commit. */
export type Snapshot = {
  treeEtag: string | null;
  /** Read anew, because they are new or changed. */
  entries: IndexedEntry[];
  /** Folders whose entries stand as they are. */
  kept: string[];
  packs: FoundPack[];
  skipped: SkippedFolder[];
};

type Source = { id: string; owner: string; repo: string; folder: string | null; isPrivate: boolean };
type Options = {
  source: Source;
  commit: { sha: string; treeSha: string };
  /** Null reads everything anew. */
  treeEtag: string | null;
  reuse: boolean;
  onProgress(progress: { done: number; total: number }): Promise<void>;
};

/** Small enough that the server goes on answering meanwhile. */
const SKILLS_AT_ONCE = 40;
const NO_BYTES = new Uint8Array();

/** Lists the tree, reads what no sync has read before, and indexes what changed. Writes blobs only; stores no entry. */
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

  const notSkills = await findForeign(ctx, listed.skills);
  const { skills, skipped } = notSkills.size === 0 ? listed : findSkills(listing.entries, { ...scope, notSkills });
  skipped.push(...declared.skipped);

  const files = await readDeclarations(ctx, declared.found);
  const index = files.find((file) => file.path.endsWith(INDEX_FILE));
  const promises = index === undefined ? null : readOperatorIndex(index);
  skipped.push(...(promises?.skipped ?? []));
  const promisedOf = (folder: string) => ({
    entry: promises?.entries.get(folder) ?? null,
    isBroken: promises?.broken.has(folder) ?? false,
  });
  const known = reuse ? await loadKnown(ctx, source.id) : new Map<string, Known>();
  const isKept = (skill: FoundSkill) => isSame(skill, known.get(skill.folder), promisedOf(skill.folder));
  const kept = skills.filter(isKept);
  const fresh = skills.filter((skill) => !isKept(skill));

  const entries: IndexedEntry[] = [];
  for (let start = 0; start < fresh.length; start += SKILLS_AT_ONCE) {
    const some = fresh.slice(start, start + SKILLS_AT_ONCE);
    const bytes = await loadBlobs(ctx, [...new Set(some.flatMap((skill) => skill.toRead.map((file) => file.sha)))]);
    for (const skill of some) {
      const options = { repo: source.repo, promised: promisedOf(skill.folder) };
      const result = indexSkill(skill, (sha) => bytes.get(sha) ?? NO_BYTES, options);
      if ("entry" in result) entries.push(result.entry);
      else skipped.push({ folder: skill.folder, ...result.skipped });
    }
  }
  const members: Member[] = [...entries, ...kept.flatMap((skill) => known.get(skill.folder) ?? [])];
  const packs = readPacks(files, members);
  skipped.push(...packs.skipped, ...describeMissing(promises?.entries, members));
  return {
    treeEtag: listing.etag,
    entries,
    kept: kept.map((skill) => skill.folder),
    packs: packs.packs,
    skipped,
  };
}

/** Folders inside of a skill that only a `skill.json` marks which is not a pack's: they belong to the skill. */
async function findForeign(ctx: Ctx, skills: FoundSkill[]): Promise<Set<string>> {
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
  promised: { entry: OperatorIndexEntry | null; isBroken: boolean },
): boolean {
  return (
    known !== undefined &&
    known.treeSha === skill.treeSha &&
    known.contentKey === contentKeyOf(skill.files) &&
    known.operatorIndex === (promised.entry && JSON.stringify(promised.entry)) &&
    (known.blockedCode === "index_entry_unreadable") === promised.isBroken
  );
}

function describeMissing(promised: Map<string, OperatorIndexEntry> | undefined, members: Member[]): SkippedFolder[] {
  const there = new Set(members.map((member) => member.folder));
  return [...(promised?.keys() ?? [])]
    .filter((folder) => !there.has(folder))
    .map((folder) => ({ folder, code: "index_without_skill", reason: "The index names it, and there is no skill." }));
}
