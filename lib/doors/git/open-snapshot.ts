import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { processStore } from "@/lib/core/process-store";
import { type Snapshot, type SnapshotContent, writeSnapshot } from "./write-snapshot";

/** Views (a viewer and what they look at) whose repository is kept at the same time. */
const MAX_VIEWS = 64;

type Repository = { folder: string; made: Promise<Snapshot>; users: number };
type Store = { views: Map<string, string>; repositories: Map<string, Repository>; cleared: Promise<void> | null };

export type OpenSnapshot = {
  folder: string;
  /** The commit of each version, by version id. */
  commits: Snapshot["commits"];
  /** Gives it back: a repository that no view needs any more goes when nobody reads it. */
  close(): void;
};

type Wanted = {
  /** The instance's data directory. */
  dataDir: string;
  /** Who looks at what: a view has one repository, its newest. */
  view: string;
  /** Hash of all that the repository holds. */
  key: string;
  content: SnapshotContent;
};

/**
 * The repository of what a view shows now, made at the first request for this content. Equal content is one repository,
 * whoever looks. What a view showed before is removed, so nothing of it can be reached.
 */
export async function openSnapshot({ dataDir, view, key, content }: Wanted): Promise<OpenSnapshot> {
  const root = join(dataDir, "git-snapshots");
  const store = storeOf(root);
  store.cleared ??= clear(root);
  await store.cleared;
  const repository = store.repositories.get(key) ?? begin(store, { root, key, content });
  repository.users += 1;
  look(store, view, key);
  const close = once(() => {
    repository.users -= 1;
    if (repository.users === 0 && store.repositories.get(key) !== repository) remove(repository);
    sweep(store);
  });
  try {
    const { commits, isWhole } = await repository.made;
    // What could not be read may be readable again: the next request tries anew.
    if (!isWhole && store.repositories.get(key) === repository) store.repositories.delete(key);
    return { folder: repository.folder, commits, close };
  } catch (error) {
    if (store.repositories.get(key) === repository) store.repositories.delete(key);
    close();
    throw error;
  }
}

function storeOf(root: string): Store {
  const stores = processStore("git-snapshots", () => new Map<string, Store>());
  const store = stores.get(root) ?? { views: new Map(), repositories: new Map(), cleared: null };
  stores.set(root, store);
  return store;
}

/** What an earlier process left is not trusted to be whole. */
async function clear(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true, force: true });
}

function begin(store: Store, { root, key, content }: { root: string; key: string; content: SnapshotContent }) {
  // A folder of its own each time: one of the same content may be on its way out.
  const folder = join(root, `${key}-${process.hrtime.bigint().toString(36)}`);
  const repository: Repository = { folder, made: writeSnapshot(folder, content), users: 0 };
  store.repositories.set(key, repository);
  return repository;
}

function look(store: Store, view: string, key: string): void {
  store.views.delete(view);
  store.views.set(view, key);
  const [oldest] = store.views.keys();
  if (store.views.size > MAX_VIEWS && oldest !== undefined) store.views.delete(oldest);
  sweep(store);
}

function sweep(store: Store): void {
  const needed = new Set(store.views.values());
  for (const [key, repository] of store.repositories) {
    if (repository.users > 0 || needed.has(key)) continue;
    store.repositories.delete(key);
    remove(repository);
  }
}

function remove({ folder }: Repository): void {
  void rm(folder, { recursive: true, force: true }).catch(() => {});
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
