/** The unescaped parts of a JSON Pointer (RFC 6901). */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointerParts(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Converts a pointer to a JSONPath (RFC 9535): `$.rows[0]["a b"]`. */
export function jsonPathOf(root: unknown, pointer: string): string {
  let path = "$";
  let value = root;
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(value)) path += `[${part}]`;
    else path += /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    value = (value as Record<string, unknown> | undefined)?.[part];
  }
  return path;
}
