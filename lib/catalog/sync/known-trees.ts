import { createHash } from "node:crypto";
import type { TreeEntry } from "./source-reader";

type Folder = { sha: string; children: Map<string, Folder | TreeEntry> };

export type KnownTrees = {
  /** Sha of the tree of all given files. */
  rootSha: string;
  /** All entries of the tree with this sha below `prefix`, folders included; null when not all of its files are known. */
  entriesOf(sha: string, prefix: string): TreeEntry[] | null;
  /** Whether a file below this folder is known. */
  hasBelow(folder: string): boolean;
};

/**
 * Rebuilds git's trees from files, and finds them by their sha. A folder of which any file is missing, extra or different has
 * another sha, so what is found needs no trust in where the files came from.
 */
export function createKnownTrees(files: Iterable<TreeEntry>): KnownTrees {
  const root = newFolder();
  for (const file of files) if (file.type !== "tree") place(root, file);
  const bySha = new Map<string, Folder>();
  hashFolder(root, bySha);
  return {
    rootSha: root.sha,
    entriesOf: (sha, prefix) => {
      const folder = bySha.get(sha);
      if (folder === undefined) return null;
      const entries: TreeEntry[] = [];
      addEntries(folder, prefix, entries);
      return entries;
    },
    hasBelow: (path) => find(root, path) !== null,
  };
}

function newFolder(): Folder {
  return { sha: "", children: new Map() };
}

function isFolder(child: Folder | TreeEntry): child is Folder {
  return "children" in child;
}

/** A file in the place of a folder, or the other way round, is left out: the tree then has another sha. */
function place(root: Folder, file: TreeEntry): void {
  const segments = file.path.split("/");
  const name = segments.pop() ?? "";
  let folder = root;
  for (const segment of segments) {
    let child = folder.children.get(segment);
    if (child === undefined) {
      child = newFolder();
      folder.children.set(segment, child);
    }
    if (!isFolder(child)) return;
    folder = child;
  }
  if (!folder.children.has(name)) folder.children.set(name, file);
}

function find(root: Folder, path: string): Folder | null {
  let folder = root;
  for (const segment of path.split("/")) {
    const child = folder.children.get(segment);
    if (child === undefined || !isFolder(child)) return null;
    folder = child;
  }
  return folder;
}

/** `<mode> <name>\0<sha>` for each child, in the order of git, which compares folders as if their name ended with a slash. */
function hashFolder(folder: Folder, bySha: Map<string, Folder>): string {
  const lines = [...folder.children].map(([name, child]) => {
    const [mode, sha] = isFolder(child) ? ["40000", hashFolder(child, bySha)] : [child.mode, child.sha];
    const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, "hex")]);
    return { order: Buffer.from(isFolder(child) ? `${name}/` : name), bytes };
  });
  lines.sort((a, b) => Buffer.compare(a.order, b.order));
  const body = Buffer.concat(lines.map(({ bytes }) => bytes));
  folder.sha = createHash("sha1").update(`tree ${body.length}\0`).update(body).digest("hex");
  bySha.set(folder.sha, folder);
  return folder.sha;
}

function addEntries(folder: Folder, prefix: string, entries: TreeEntry[]): void {
  for (const [name, child] of folder.children) {
    const path = `${prefix}${name}`;
    if (isFolder(child)) {
      entries.push({ path, mode: "040000", type: "tree", sha: child.sha });
      addEntries(child, `${path}/`, entries);
    } else entries.push({ ...child, path });
  }
}
