import { Parser } from "yaml";

/** Every comment of a YAML text, in order, without the blanks around it. */
export function commentsOf(yaml: string): string[] {
  return [...new Parser().parse(yaml)].flatMap(collect);
}

function collect(token: unknown): string[] {
  if (typeof token !== "object" || token === null) return [];
  if (Array.isArray(token)) return token.flatMap(collect);
  if ("type" in token && token.type === "comment" && "source" in token) return [String(token.source).trim()];
  return Object.values(token).flatMap(collect);
}
