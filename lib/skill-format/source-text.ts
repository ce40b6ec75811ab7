/** A repository as it was typed: its address, and what else the text names. */
type SourceText = { repoUrl: string; ref: string | null; folder: string | null };

const INSTALL_LINE =
  /^(?:\$\s*)?(?:(?:npx|bunx|pnpx|(?:pnpm|yarn)\s+dlx|npm\s+exec|bun\s+x)\s+(?:-{1,2}\S*\s+)*)?skills(?:@\S+)?\s+(?:add|a|install|i)\s+(.+)$/s;
const SHORT = /^(?:github:)?([A-Za-z0-9][\w-]*)\/([\w.-]+)((?:\/[^/@#]+)*)\/?(?:#([^#@]+))?(?:@[^@#]*)?$/;

/**
 * Reads what stands for a repository besides its address: `owner/repo`, `owner/repo/folder`, `owner/repo#branch`, an address
 * without `https://`, and a pasted `npx skills add …` line (the sources that the skills CLI takes, vercel-labs/skills,
 * src/source-parser.ts). The skill that a line names is left out: a source offers all skills of its folder. Other text
 * comes back as it is; the server checks all of it. `web` is the address of the host that short names are on.
 */
export function readSourceText(text: string, web: string): SourceText {
  const line = INSTALL_LINE.exec(text.trim());
  const typed = line ? sourceOf(line[1] ?? "") : text.trim();
  const short = SHORT.exec(typed);
  if (short) {
    const [, owner = "", repo = "", path = "", ref] = short;
    return { repoUrl: `${web}/${owner}/${repo}`, ref: ref ?? null, folder: path.slice(1) || null };
  }
  const isBare = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/[^/]+\/[^/]/i.test(typed);
  return { repoUrl: isBare ? `https://${typed}` : typed, ref: null, folder: null };
}

/** The first argument that can be a source: values of options such as `--skill pdf` have no slash. */
function sourceOf(args: string): string {
  const words = args.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return words.find((word) => !word.startsWith("-") && word.includes("/")) ?? words[0] ?? "";
}
