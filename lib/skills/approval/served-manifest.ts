import { keepParsed } from "@/lib/core/json";
import { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { SkillManifest } from "@/lib/skill-format/schema";

type Stored = { manifest: string; entry: string | null };

/** The script that a decision made the entry; null when the files name one, or nothing is run. */
export function decidedEntry({ entry }: Pick<Stored, "entry">): ScriptEntry | null {
  return entry === null ? null : keepParsed(ScriptEntry, entry);
}

/** The manifest with the entry and arguments that a decision added. */
export function servedManifest(version: Stored): SkillManifest {
  const manifest = keepParsed(SkillManifest, version.manifest);
  const decided = decidedEntry(version);
  return decided === null ? manifest : { ...manifest, entry: decided.path, schema: decided.schema };
}
