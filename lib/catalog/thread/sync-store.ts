export type Progress = { done: number; total: number; requests: number; rawReads: number };

/** What a sync knows of an entry that is stored. */
export type KnownEntry = {
  folder: string;
  name: string;
  slug: string;
  treeSha: string;
  contentKey: string;
  operatorIndex: string | null;
  blockedCode: string | null;
  state: string;
};

/**
 * What the thread of a sync asks of the process, which alone has a connection to the database. Each write is a short transaction that
 * fails when the sync was superseded. Lists are JSON texts, which go between the database and the thread without being parsed.
 */
export type SyncStore = {
  /** Of a list of git shas, those that are not stored. */
  missingBlobs(shas: string): Promise<string>;
  /** `[{sha, hex}]` of stored blobs; missing ones are omitted. */
  loadBlobs(shas: string): Promise<string>;
  /** Stores `[{sha, size, hex}]` and the progress. */
  keepBlobs(blobs: string, progress: Progress): Promise<void>;
  showProgress(progress: Progress): Promise<void>;
  /** The next `KnownEntry` rows by folder, from the first one when `after` is null; an empty list after the last. */
  knownEntries(after: string | null): Promise<string>;
  /** `[{folder, files, operatorIndex}]` of the next present entries by folder; the last two are JSON texts. */
  knownFiles(after: string | null): Promise<string>;
  /** Shas of the trees that an interrupted listing kept. */
  keptTrees(): Promise<string>;
  loadTree(sha: string): Promise<string | null>;
  keepTree(sha: string, hex: string): Promise<void>;
  /** Adds or replaces entries by their folder. */
  putEntries(rows: string, commit: string): Promise<void>;
  /** Marks entries with these folders, and what was installed from them. */
  markEntries(state: "present" | "removed", folders: string): Promise<void>;
  putPacks(rows: string): Promise<void>;
  /** Deletes all packs but those with these keys. */
  dropPacksExcept(keys: string): Promise<void>;
};
