import { newId } from "@/lib/core/ids";
import { ancestors } from "@/lib/skill-format/archive/archive-entry";
import { missingPackKeys } from "@/lib/skill-format/archive/split-skills";
import type { OperatorIndexEntry } from "../schema";
import type { SkippedFolder } from "../sources/schema";
import type { CollectInput } from "../thread/messages";
import type { KnownEntry, Progress, SyncStore } from "../thread/sync-store";
import { batchesOf, createBlobBatch, loadBlobs, missingBlobs } from "./blob-batches";
import { type Declaration, type FoundPack, findDeclarations, type Member, readPacks } from "./declarations";
import { type FoundSkill, findSkills } from "./find-skills";
import { contentKeyOf, indexSkill } from "./index-skill";
import { listingMemory } from "./listing-memory";
import { describeMissing, readOperatorIndex } from "./operator-index";
import type { SourceReader, WantedBlob } from "./source-reader";
import { INDEX_FILE } from "./source-reader";

/** What is left to store when all entries and packs are. `skipped` is the JSON text of the list. */
export type Collected = {
  treeSha: string;
  treeEtag: string | null;
  added: number;
  changed: number;
  removed: number;
  skipped: string;
  skippedCount: number;
};

/** Rows in a transaction, which must not stop the process for long. */
const ROWS_AT_ONCE = 20;
const ROW_BYTES_AT_ONCE = 128 * 1024;
const FOLDERS_AT_ONCE = 200;
const MAX_SKIPPED = 20_000;
const NO_BYTES = new Uint8Array();

/**
 * Lists the tree, reads new blobs, and indexes new and changed skills, in the catalog thread. Blobs are stored as they arrive, so that a
 * sync that was cut off does not read them again. Entries are stored after all blobs, in batches, each of which is complete in itself.
 */
export async function collectSnapshot(
  store: SyncStore,
  reader: SourceReader,
  { repo, folder, commit, treeEtag, indexedTree, reuse }: CollectInput,
): Promise<Collected | "unchanged"> {
  const progress = { done: 0, total: 0 };
  const progressNow = (): Progress => {
    const { requests, rawReads } = reader.usage();
    return { ...progress, requests, rawReads };
  };
  const batch = createBlobBatch((blobs) => store.keepBlobs(blobs, progressNow()));
  const listing = await reader.listTree(commit, { folder, etag: treeEtag, memory: listingMemory(store, batch) });
  if (listing === "unchanged" || listing.treeSha === indexedTree) return "unchanged";
  await batch.flush();
  const scope = { folder, treeSha: listing.treeSha };
  const listed = findSkills(listing.entries, scope);
  const declared = findDeclarations(listing.entries, folder);
  const missing = await missingBlobs(store, wantedBlobs(listed.skills, declared.found));
  progress.total = missing.length;
  await store.showProgress(progressNow());
  try {
    for await (const blob of reader.readBlobs(commit, missing, listing.entries)) {
      progress.done += 1;
      await batch.add(blob);
    }
  } finally {
    await batch.flush();
  }

  const notSkills = await findNestedManifests(store, listed.skills);
  const { skills, skipped } = notSkills.size === 0 ? listed : findSkills(listing.entries, { ...scope, notSkills });
  const stated = listing.declared;
  const releases = new Map(stated?.skills.map((entry) => [entry.folder, entry]));
  listing.entries.length = 0;
  skipped.push(...declared.skipped, ...(stated?.skipped ?? []));

  const files = await readDeclarations(store, declared.found);
  const index = files.find((file) => file.path.endsWith(INDEX_FILE));
  const operatorIndex = index === undefined ? null : readOperatorIndex(index);
  skipped.push(...(operatorIndex?.skipped ?? []));
  const operatorEntryOf = (place: string): OperatorDeclaration => ({
    entry: operatorIndex?.entries.get(place) ?? nearestRelease(place, releases),
    isBroken: operatorIndex?.broken.has(place) ?? false,
  });
  const known = await loadKnown(store);
  const isKept = (skill: FoundSkill) => reuse && isSame(skill, known.get(skill.folder), operatorEntryOf(skill.folder));
  const members: Member[] = [];
  const fresh: FoundSkill[] = [];
  for (const skill of skills) {
    const stored = known.get(skill.folder);
    if (stored !== undefined && isKept(skill))
      members.push({ folder: skill.folder, name: stored.name, slug: stored.slug });
    else fresh.push(skill);
  }

  const counts = { added: 0, changed: 0, removed: 0 };
  const rows = createRowBatch((text) => store.putEntries(text, commit.sha));
  for (const some of batchesOf(fresh, ({ toRead }) => toRead.reduce((sum, file) => sum + file.size, 0))) {
    const bytes = await loadBlobs(
      store,
      some.flatMap((skill) => skill.toRead.map((file) => file.sha)),
    );
    for (const skill of some) {
      const options = { repo, operator: operatorEntryOf(skill.folder) };
      const result = indexSkill(skill, (sha) => bytes.get(sha) ?? NO_BYTES, options);
      if (!("entry" in result)) {
        skipped.push({ folder: skill.folder, ...result.skipped });
        continue;
      }
      const { entry } = result;
      members.push({ folder: entry.folder, name: entry.name, slug: entry.slug });
      const stored = known.get(entry.folder);
      if (stored === undefined) counts.added += 1;
      else if (stored.treeSha !== entry.treeSha) counts.changed += 1;
      await rows.add({ id: newId(), ...entry });
    }
  }
  await rows.flush();

  const there = new Set(members.map((member) => member.folder));
  const gone = [...known.values()].filter((row) => row.state === "present" && !there.has(row.folder));
  const back = [...known.values()].filter((row) => row.state === "removed" && there.has(row.folder));
  for (const [state, marked] of [
    ["removed", gone],
    ["present", back],
  ] as const) {
    for (let start = 0; start < marked.length; start += FOLDERS_AT_ONCE) {
      const folders = marked.slice(start, start + FOLDERS_AT_ONCE).map((row) => row.folder);
      await store.markEntries(state, JSON.stringify(folders));
    }
  }
  counts.removed = gone.length;
  counts.added += back.length;

  members.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const packs = readPacks(files, members);
  for (const { folder: root, ...group } of stated?.groups ?? []) {
    const inGroup = members.map((member) => member.folder).filter((place) => `${place}/`.startsWith(`${root}/`));
    if (inGroup.length > 0)
      packs.packs.push({ ...group, key: `registry#${group.name}`, kind: "plugin", members: inGroup });
  }
  await storePacks(store, packs.packs);
  skipped.push(...packs.skipped, ...describeMissing(operatorIndex?.entries, members));
  return {
    treeSha: listing.treeSha,
    treeEtag: listing.etag,
    ...counts,
    skipped: JSON.stringify(cutSkipped(skipped)),
    skippedCount: skipped.length,
  };
}

/** What a registry states about the release that has this folder. */
function nearestRelease(place: string, releases: ReadonlyMap<string, OperatorIndexEntry>): OperatorIndexEntry | null {
  const above = releases.size === 0 ? [] : ancestors(place);
  return [place, ...above].map((folder) => releases.get(folder)).find((entry) => entry !== undefined) ?? null;
}

type OperatorDeclaration = { entry: OperatorIndexEntry | null; isBroken: boolean };

function wantedBlobs(skills: FoundSkill[], declared: Declaration[]): WantedBlob[] {
  const wanted: WantedBlob[] = declared.map(({ sha, path }) => ({ sha, path }));
  for (const { folder, toRead } of skills) {
    for (const { sha, path } of toRead) wanted.push({ sha, path: folder === "" ? path : `${folder}/${path}` });
  }
  return wanted;
}

/** Folders inside a skill whose `skill.json` is not that of a pack: their files belong to the skill. */
async function findNestedManifests(store: SyncStore, skills: FoundSkill[]): Promise<Set<string>> {
  const strong = new Set(skills.filter(({ marker }) => marker.path !== "skill.json").map(({ folder }) => folder));
  const isInside = (folder: string) =>
    folder !== "" && ["", ...ancestors(folder)].some((above) => above !== folder && strong.has(above));
  const asked = skills.filter(({ marker, folder }) => marker.path === "skill.json" && isInside(folder));
  const foreign = new Set<string>();
  for (const some of batchesOf(asked, ({ marker }) => marker.size)) {
    const bytes = await loadBlobs(
      store,
      some.map(({ marker }) => marker.sha),
    );
    for (const { marker, folder } of some) {
      if (missingPackKeys(bytes.get(marker.sha) ?? NO_BYTES).length > 0) foreign.add(folder);
    }
  }
  return foreign;
}

async function readDeclarations(store: SyncStore, declared: Declaration[]) {
  const bytes = await loadBlobs(
    store,
    declared.map((file) => file.sha),
  );
  return declared.map((file) => ({ ...file, text: Buffer.from(bytes.get(file.sha) ?? NO_BYTES).toString("utf8") }));
}

async function loadKnown(store: SyncStore): Promise<Map<string, KnownEntry>> {
  const known = new Map<string, KnownEntry>();
  for (let after: string | null = null; ; ) {
    const rows = JSON.parse(await store.knownEntries(after)) as KnownEntry[];
    for (const row of rows) known.set(row.folder, row);
    const last = rows.at(-1);
    if (last === undefined) return known;
    after = last.folder;
  }
}

function isSame(skill: FoundSkill, known: KnownEntry | undefined, operator: OperatorDeclaration): boolean {
  return (
    known !== undefined &&
    known.treeSha === skill.treeSha &&
    known.contentKey === contentKeyOf(skill.files) &&
    known.operatorIndex === (operator.entry && JSON.stringify(operator.entry)) &&
    (known.blockedCode === "index_entry_unreadable") === operator.isBroken
  );
}

/** Hands on the JSON text of a list of rows when it is large enough. */
function createRowBatch(store: (rows: string) => Promise<void>) {
  let texts: string[] = [];
  let length = 0;
  const flush = async () => {
    if (texts.length === 0) return;
    const rows = `[${texts.join(",")}]`;
    texts = [];
    length = 0;
    await store(rows);
  };
  return {
    add: async (row: object) => {
      const text = JSON.stringify(row);
      texts.push(text);
      length += text.length;
      if (texts.length >= ROWS_AT_ONCE || length >= ROW_BYTES_AT_ONCE) await flush();
    },
    flush,
  };
}

/** Packs keep their ids while they are declared under the same name. */
async function storePacks(store: SyncStore, packs: FoundPack[]): Promise<void> {
  const rows = createRowBatch((text) => store.putPacks(text));
  for (const { members, ...pack } of packs) await rows.add({ id: newId(), ...pack, members: JSON.stringify(members) });
  await rows.flush();
  await store.dropPacksExcept(JSON.stringify(packs.map(({ key }) => key)));
}

function cutSkipped(skipped: SkippedFolder[]): SkippedFolder[] {
  if (skipped.length <= MAX_SKIPPED) return skipped;
  const more = skipped.length - MAX_SKIPPED;
  return [...skipped.slice(0, MAX_SKIPPED), { folder: "", code: "more", reason: `${more} more are not listed here.` }];
}
