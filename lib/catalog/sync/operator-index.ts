import { z } from "zod";
import { parseJsonStrict } from "@/lib/skill-format/json-values";
import type { OperatorIndexEntry } from "../schema";
import type { SkippedFolder } from "../sources/schema";
import type { Member } from "./declarations";

const Sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(sha256:)?[0-9a-f]{64}$/)
  .transform((text) => text.replace(/^sha256:/, ""));

const Texts = z.array(z.string().trim().min(1).max(100)).max(50).default([]);

/** `skillgate-index.json`: what the operators of a source declare about its skills. Documented in docs/admins.md. */
const Index = z.object({ skills: z.array(z.unknown()).max(100_000) });

const Item = z.object({
  folder: z.string().transform((path) => path.replace(/^\.?\/+|\/+$/g, "").replace(/^\.$/, "")),
  name: z.string().trim().max(200).nullable().default(null),
  version: z.string().trim().max(100).nullable().default(null),
  sha256: Sha256.nullable().default(null),
  tags: Texts,
  requiredCapabilities: Texts,
});

/** Entries of the index whose folder has no skill. */
export function describeMissing(
  operator: Map<string, OperatorIndexEntry> | undefined,
  members: Member[],
): SkippedFolder[] {
  const there = new Set(members.map((member) => member.folder));
  return [...(operator?.keys() ?? [])]
    .filter((folder) => !there.has(folder))
    .map((folder) => ({
      folder,
      code: "index_without_skill",
      reason: "The index file names this folder, but it has no skill.",
    }));
}

/**
 * Reads an index file by folder. Unreadable entries are skipped with a reason; `broken` has their folders, so that an
 * entry whose declaration cannot be checked is blocked.
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
    skipped.push({
      folder: file.path,
      code: "index_unreadable",
      reason: "The index file is not JSON with a list “skills”.",
    });
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
