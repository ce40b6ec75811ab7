/**
 * Where the JSON value at the start of a text ends, judged by brackets and quotes alone (the part may still be invalid).
 * Null when a bracket or a quote stays open.
 */
export function findJsonEnd(text: string): number | null {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return null;
  const first = text.charAt(start);
  if (first === '"') return skipString(text, start);
  if (first === "{" || first === "[") return skipNested(text, start);
  const length = text.slice(start).search(/[\s,{}[\]"]/);
  return length === -1 ? text.length : start + Math.max(1, length);
}

function skipNested(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = skipString(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return null;
}

function skipString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return null;
}
