import type { CatalogFile, OperatorIndexEntry } from "../schema";
import type { SyncStore } from "../thread/sync-store";
import type { BlobBatch } from "./blob-batches";
import { mayBeRead } from "./find-skills";
import type { FormerSkill, ListingMemory, TreeEntry } from "./source-reader";

/** What is stored of a source, for the listing of a tree that its host cuts. */
export function listingMemory(store: SyncStore, batch: BlobBatch): ListingMemory {
  let shas: Promise<Set<string>> | null = null;
  const kept = () => {
    shas ??= store.keptTrees().then((text) => new Set(JSON.parse(text) as string[]));
    return shas;
  };
  return {
    formerFiles: () => formerFiles(store),
    formerSkills: () => formerSkills(store),
    keptTree: async (sha) => {
      if (!(await kept()).has(sha)) return null;
      const text = await store.loadTree(sha);
      return text === null ? null : (JSON.parse(text) as TreeEntry[]);
    },
    keepTree: async (sha, entries) => {
      await store.keepTree(sha, Buffer.from(JSON.stringify(entries)).toString("hex"));
      (await kept()).add(sha);
    },
    wants: mayBeRead,
    keepBlob: batch.add,
  };
}

async function* formerFiles(store: SyncStore): AsyncGenerator<TreeEntry[]> {
  for await (const skills of formerSkills(store)) yield skills.flatMap(({ entries }) => entries);
}

type Row = { folder: string; files: string; operatorIndex: string | null };

async function* formerSkills(store: SyncStore): AsyncGenerator<FormerSkill[]> {
  for (let after: string | null = null; ; ) {
    const rows = JSON.parse(await store.knownFiles(after)) as Row[];
    yield rows.map(({ folder, files, operatorIndex }) => ({
      stated: operatorIndex === null ? null : (JSON.parse(operatorIndex) as OperatorIndexEntry),
      entries: (JSON.parse(files) as CatalogFile[]).map((file) => toEntry(folder, file)),
    }));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.folder;
  }
}

function toEntry(folder: string, { path, mode, sha, size, kind }: CatalogFile): TreeEntry {
  const place = folder === "" ? path : `${folder}/${path}`;
  if (kind === "submodule") return { path: place, mode: "160000", type: "commit", sha };
  return { path: place, mode: kind === "symlink" ? "120000" : `100${mode}`, type: "blob", sha, size };
}
