export type FileTreeFile = { path: string };

export type FileTreeNode<F extends FileTreeFile = FileTreeFile> =
  | { kind: "folder"; path: string; name: string; children: FileTreeNode<F>[] }
  | { kind: "file"; path: string; name: string; file: F };

/** Builds the tree: SKILL.md first, then folders, then files, each by name. */
export function buildFileTree<F extends FileTreeFile>(files: readonly F[]): FileTreeNode<F>[] {
  const root: FileTreeNode<F>[] = [];
  const folders = new Map<string, FileTreeNode<F>[]>([["", root]]);

  const childrenOf = (path: string): FileTreeNode<F>[] => {
    const known = folders.get(path);
    if (known) return known;
    const children: FileTreeNode<F>[] = [];
    folders.set(path, children);
    childrenOf(parentOf(path)).push({ kind: "folder", path, name: nameOf(path), children });
    return children;
  };

  for (const file of files) {
    childrenOf(parentOf(file.path)).push({ kind: "file", path: file.path, name: nameOf(file.path), file });
  }
  for (const children of folders.values()) children.sort(compareNodes);
  return root;
}

/** The rows of all open folders, in order, with their depth. */
export function visibleRows<F extends FileTreeFile>(
  nodes: readonly FileTreeNode<F>[],
  closed: ReadonlySet<string>,
  depth = 0,
): { node: FileTreeNode<F>; depth: number }[] {
  return nodes.flatMap((node) => [
    { node, depth },
    ...(node.kind === "folder" && !closed.has(node.path) ? visibleRows(node.children, closed, depth + 1) : []),
  ]);
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function compareNodes(a: FileTreeNode, b: FileTreeNode): number {
  return rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function rank(node: FileTreeNode): number {
  if (node.kind === "file") return node.name === "SKILL.md" ? 0 : 2;
  return 1;
}
