import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CorpusFile } from "./count-outcomes";

const SKIPPED = new Set([".git", "node_modules"]);

/**
 * Every SKILL.md (any letter case) in a folder and below it; when there is none, every `.md` file, for collections that keep
 * skills under other names. Links are not followed. Files are read one at a time; what the system does not let us read is
 * handed to `onUnreadable` and left out.
 */
export function* findSkillFiles(root: string, onUnreadable: (path: string) => void = () => {}): Generator<CorpusFile> {
  const paths = listMarkdown(root, onUnreadable);
  const skills = paths.filter((path) => /^skill\.md$/i.test(basename(path)));
  for (const path of (skills.length > 0 ? skills : paths).sort()) {
    const folder = skills.length > 0 ? basename(join(path, "..")) : basename(path).replace(/\.md$/i, "");
    const bytes = orNull(() => readFileSync(path));
    if (bytes === null) onUnreadable(path);
    else yield { folder, bytes: new Uint8Array(bytes) };
  }
}

function listMarkdown(folder: string, onUnreadable: (path: string) => void): string[] {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === null) onUnreadable(folder);
  return (entries ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listMarkdown(path, onUnreadable);
    return entry.isFile() && /\.md$/i.test(entry.name) ? [path] : [];
  });
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
