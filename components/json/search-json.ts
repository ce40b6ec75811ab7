import { pointerOf, pointerParts } from "./json-pointer";
import { childrenAtFirst, type JsonTreeState } from "./json-rows";

export const jsonHitsAtMost = 5_000;

/** Pointers of properties and values that match, in document order; at most 5,000. */
export function searchJson(root: unknown, query: string): string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  const hits: string[] = [];
  const walk = (value: unknown, parts: (string | number)[]): void => {
    if (hits.length >= jsonHitsAtMost) return;
    const name = parts.at(-1);
    const isNamed = typeof name === "string" && name.toLowerCase().includes(wanted);
    if (typeof value === "object" && value !== null) {
      if (isNamed) hits.push(pointerOf(parts));
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value)) walk(item, [...parts, isList ? Number(key) : key]);
    } else if (isNamed || String(value).toLowerCase().includes(wanted)) {
      hits.push(pointerOf(parts));
    }
  };
  walk(root, []);
  return hits;
}

/** Expands the containers of a value, and lists enough siblings to show it. */
export function revealPath(root: unknown, state: JsonTreeState, pointer: string): JsonTreeState {
  const open = new Set(state.open);
  const shown = new Map(state.shown);
  let value = root;
  let path = "";
  for (const part of pointerParts(pointer)) {
    open.add(path);
    const object = (value ?? {}) as Record<string, unknown>;
    const index = Array.isArray(value) ? Number(part) : Object.keys(object).indexOf(part);
    const least = Math.ceil((index + 1) / childrenAtFirst) * childrenAtFirst;
    if (least > (shown.get(path) ?? childrenAtFirst)) shown.set(path, least);
    value = object[part];
    path += pointerOf([part]);
  }
  return { open, shown };
}
