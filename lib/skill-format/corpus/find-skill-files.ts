import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CorpusFile } from "./count-outcomes";

const SKIPPED = new Set([".git", "node_modules"]);

/**
 * Every SKILL.md (any letter case) in a folder and below it; when there is none, every `.md` file, for collections that keep
 * skills under other names. Links are not followed. Files are read one at a time.
 */
export function* findSkillFiles(root: string): Generator<CorpusFile> {
  const paths = listMarkdown(root);
  const skills = paths.filter((path) => /^skill\.md$/i.test(basename(path)));
  for (const path of (skills.length > 0 ? skills : paths).sort()) {
    const folder = skills.length > 0 ? basename(join(path, "..")) : basename(path).replace(/\.md$/i, "");
    yield { folder, bytes: new Uint8Array(readFileSync(path)) };
  }
}

function listMarkdown(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listMarkdown(path);
    return entry.isFile() && /\.md$/i.test(entry.name) ? [path] : [];
  });
}
