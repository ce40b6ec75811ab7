/** The path of a skill's file for `read_skill_file`: `skills/<slug>/<path>`. */
export function readPathOf(slug: string, path: string): string {
  return `skills/${slug}/${path}`;
}

/** Also accepts a persona's location (`agents/<id>/skills/<slug>/<path>`), `<slug>/<path>` and a bare name. */
export function splitReadPath(path: string): { name: string; inside: string } {
  const parts = path.split("/");
  const rest = parts[0] === "agents" && parts[2] === "skills" && parts.length > 4 ? parts.slice(2) : parts;
  const [name = "", ...inside] = rest[0] === "skills" && rest.length > 2 ? rest.slice(1) : rest;
  return { name, inside: inside.join("/") };
}
