import { pointerOf } from "./json-pointer";

export type JsonRow = {
  /** JSON Pointer of the value, or of the container for a "more" row. */
  path: string;
  /** Property name or index; null for the root. */
  name: string | null;
  depth: number;
  position: number;
  siblings: number;
} & (
  | { kind: "container"; shape: "object" | "array"; size: number; isOpen: boolean }
  | { kind: "value"; value: string | number | boolean | null }
  | { kind: "more"; hidden: number }
);

/** Children of a container that are listed before "Show more". */
export const childrenAtFirst = 100;
const openDepth = 2;
const openRowsAtMost = 200;

export type JsonTreeState = { open: ReadonlySet<string>; shown: ReadonlyMap<string, number> };

/** Expands the first levels, up to 200 rows. */
export function initialTreeState(value: unknown): JsonTreeState {
  const open = new Set<string>();
  let rows = 1;
  let level: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let depth = 0; depth <= openDepth; depth++) {
    const containers = level.filter((entry) => isContainer(entry.value));
    const children = containers.flatMap((entry) => childrenOf(entry.value, entry.path, childrenAtFirst));
    if (depth > 0 && rows + children.length > openRowsAtMost) break;
    for (const { path } of containers) open.add(path);
    rows += children.length;
    level = children;
  }
  return { open, shown: new Map() };
}

export function visibleJsonRows(value: unknown, state: JsonTreeState): JsonRow[] {
  const rows: JsonRow[] = [];
  addRows(rows, { path: "", name: null, value }, { depth: 0, position: 1, siblings: 1 }, state);
  return rows;
}

type Entry = { path: string; name: string | null; value: unknown };
type Place = { depth: number; position: number; siblings: number };

function addRows(rows: JsonRow[], entry: Entry, place: Place, state: JsonTreeState): void {
  const { path, name, value } = entry;
  if (!isContainer(value)) {
    rows.push({ path, name, ...place, kind: "value", value: asScalar(value) });
    return;
  }
  const shape = Array.isArray(value) ? "array" : "object";
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const isOpen = state.open.has(path) && size > 0;
  rows.push({ path, name, ...place, kind: "container", shape, size, isOpen });
  if (!isOpen) return;
  const children = childrenOf(value, path, state.shown.get(path) ?? childrenAtFirst);
  const siblings = children.length < size ? children.length + 1 : size;
  const depth = place.depth + 1;
  children.forEach((child, index) => {
    addRows(rows, child, { depth, position: index + 1, siblings }, state);
  });
  if (children.length < size) {
    rows.push({ path, name: null, depth, position: siblings, siblings, kind: "more", hidden: size - children.length });
  }
}

function childrenOf(value: unknown, path: string, most: number): Entry[] {
  if (Array.isArray(value)) {
    return value.slice(0, most).map((item, index) => ({ path: `${path}/${index}`, name: String(index), value: item }));
  }
  if (!isContainer(value)) return [];
  return Object.entries(value)
    .slice(0, most)
    .map(([name, item]) => ({ path: `${path}${pointerOf([name])}`, name, value: item }));
}

export function parentPath(row: JsonRow): string | null {
  if (row.kind === "more") return row.path;
  return row.path === "" ? null : row.path.slice(0, row.path.lastIndexOf("/"));
}

function isContainer(value: unknown): value is unknown[] | Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function asScalar(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === undefined || value === null ? null : String(value);
}
