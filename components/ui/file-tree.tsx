"use client";

import { ChevronRight, File, FileText, Folder } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { cn } from "./cn";

type FileTreeFile = { path: string };

type FileTreeNode<F extends FileTreeFile = FileTreeFile> =
  | { kind: "folder"; path: string; name: string; children: FileTreeNode<F>[] }
  | { kind: "file"; path: string; name: string; file: F };

type FileTreeProps<F extends FileTreeFile> = {
  files: readonly F[];
  label: string;
  selected?: string | null;
  onSelect: (path: string) => void;
  aside?: (file: F) => ReactNode;
  className?: string;
};

/** A file tree; arrow keys navigate, Enter selects. Folders start open. */
export function FileTree<F extends FileTreeFile>({
  files,
  label,
  selected = null,
  onSelect,
  aside,
  className,
}: FileTreeProps<F>) {
  const tree = useMemo(() => buildFileTree(files), [files]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const rowElements = useRef(new Map<string, HTMLElement>());
  const rows = visibleRows(tree, closed);
  const tabStop = [focused, selected].find((path) => path !== null && rows.some((row) => row.node.path === path));

  const toggle = (path: string, open: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (open) next.delete(path);
      else next.add(path);
      return next;
    });

  const focus = (path: string) => {
    setFocused(path);
    rowElements.current.get(path)?.focus();
  };

  const activate = (node: FileTreeNode<F>) => {
    setFocused(node.path);
    if (node.kind === "file") onSelect(node.path);
    else toggle(node.path, closed.has(node.path));
  };

  const onKeyDown = (event: KeyboardEvent, node: FileTreeNode<F>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") activate(node);
    else if (event.key === "ArrowRight" && node.kind === "folder" && closed.has(node.path)) toggle(node.path, true);
    else if (event.key === "ArrowLeft" && node.kind === "folder" && !closed.has(node.path)) toggle(node.path, false);
    else {
      const target = pathAfterKey(event.key, node, rows, index);
      if (target === undefined) return;
      focus(target);
    }
    event.preventDefault();
  };

  return (
    <div role="tree" aria-label={label} className={cn("text-13", className)}>
      {rows.map(({ node, depth }, index) => (
        <div
          key={node.path}
          role="treeitem"
          data-path={node.path}
          ref={(element) => {
            if (element) rowElements.current.set(node.path, element);
            else rowElements.current.delete(node.path);
          }}
          tabIndex={node.path === (tabStop ?? rows[0]?.node.path) ? 0 : -1}
          aria-level={depth + 1}
          aria-expanded={node.kind === "folder" ? !closed.has(node.path) : undefined}
          aria-selected={node.path === selected}
          onClick={() => activate(node)}
          onKeyDown={(event) => onKeyDown(event, node, index)}
          style={{ paddingLeft: `${depth * 16 + 8}px` }}
          className="flex h-7 cursor-default select-none items-center gap-1.5 rounded-sm pr-2 hover:bg-accent focus-visible:-outline-offset-2 aria-selected:bg-selected aria-selected:font-medium [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground"
        >
          <NodeIcon node={node} isClosed={closed.has(node.path)} />
          <span className="truncate" title={node.path}>
            {node.name}
          </span>
          {node.kind === "file" && aside ? <span className="ml-auto shrink-0 pl-2">{aside(node.file)}</span> : null}
        </div>
      ))}
    </div>
  );
}

type Rows = readonly { node: FileTreeNode }[];

/** The path that a key moves the focus to; undefined for other keys. */
function pathAfterKey(key: string, node: FileTreeNode, rows: Rows, index: number): string | undefined {
  switch (key) {
    case "ArrowDown":
      return rows[index + 1]?.node.path;
    case "ArrowUp":
      return rows[index - 1]?.node.path;
    case "Home":
      return rows[0]?.node.path;
    case "End":
      return rows.at(-1)?.node.path;
    case "ArrowRight":
      return node.kind === "folder" ? node.children[0]?.path : undefined;
    case "ArrowLeft":
      return parentOf(node.path) || undefined;
    default:
      return undefined;
  }
}

function NodeIcon({ node, isClosed }: { node: FileTreeNode; isClosed: boolean }) {
  if (node.kind === "folder") {
    return (
      <>
        <ChevronRight aria-hidden className={cn("!size-3.5", !isClosed && "rotate-90")} />
        <Folder aria-hidden />
      </>
    );
  }
  const Icon = /\.(md|txt|markdown)$/i.test(node.name) ? FileText : File;
  return <Icon aria-hidden className="ml-5" />;
}

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

function parentOf(path: string): string {
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
