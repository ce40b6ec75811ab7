import { z } from "zod";
import { parseJsonStrict } from "@/lib/skill-format/parse-json-strict";
import type { OperatorIndexEntry } from "../schema";
import type { SkippedFolder } from "../sources/schema";

const Sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(sha256:)?[0-9a-f]{64}$/)
  .transform((text) => text.replace(/^sha256:/, ""));
const Texts = z.array(z.string().trim().min(1).max(100)).max(50).default([]);

/** `skillgate-index.json`: what the people who keep a source promise of its skills. Documented in docs/admins.md. */
const Index = z.object({ skills: z.array(z.unknown()).max(100_000) });
const Item = z.object({
  folder: z.string().transform((path) => path.replace(/^\.?\/+|\/+$/g, "").replace(/^\.$/, "")),
  name: z.string().trim().max(200).nullable().default(null),
  version: z.string().trim().max(100).nullable().default(null),
  sha256: Sha256.nullable().default(null),
  tags: Texts,
  requiredCapabilities: Texts,
});

/**
 * The entries of an index file by their folder in the repository. A line that cannot be read is left out with the reason; its
 * folder, when it names one, is in `broken`, because a promise that cannot be checked must not pass for kept.
 */
export function readOperatorIndex(file: { path: string; base: string; text: string }): {
  entries: Map<string, OperatorIndexEntry>;
  broken: Set<string>;
  skipped: SkippedFolder[];
} {
  const entries = new Map<string, OperatorIndexEntry>();
  const broken = new Set<string>();
  const skipped: SkippedFolder[] = [];
  const json = parseJsonStrict(file.text);
  const index = Index.safeParse(json.ok ? json.value : undefined);
  if (!index.success) {
    skipped.push({ folder: file.path, code: "index_unreadable", reason: "It is not JSON with a list “skills”." });
    return { entries, broken, skipped };
  }
  for (const [position, item] of index.data.skills.entries()) {
    const parsed = Item.safeParse(item);
    if (parsed.success) {
      const folder = `${file.base}${parsed.data.folder}`.replace(/\/$/, "");
      entries.set(folder, { ...parsed.data, folder });
      continue;
    }
    const issue = parsed.error.issues[0];
    const reason = `Entry ${position + 1}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "cannot be read"}.`;
    skipped.push({ folder: file.path, code: "index_entry_unreadable", reason });
    const named = z.object({ folder: Item.shape.folder }).safeParse(item);
    if (named.success) broken.add(`${file.base}${named.data.folder}`.replace(/\/$/, ""));
  }
  return { entries, broken, skipped };
}
