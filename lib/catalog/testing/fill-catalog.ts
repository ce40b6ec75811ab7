import { newId } from "@/lib/core/ids";
import type { Tx } from "@/lib/db/context";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { EMPTY_MANIFEST } from "@/lib/skill-format/schema";
import { contentKeyOf } from "../sync/index-skill";

export type EntrySeed = {
  name: string;
  folder?: string;
  description?: string;
  whenToUse?: string | null;
  tags?: string[];
  tools?: string[];
  license?: string | null;
  category?: string;
  hasScripts?: boolean;
  bytes?: number;
  state?: "present" | "removed";
  changedAt?: Date;
  firstSeenAt?: Date;
  content?: string;
  blocked?: { code: string; reason: string };
};

/** Stores a source as a sync would. */
export async function fillSource(
  db: Tx,
  seed: { label?: string; owner?: string; repo?: string; enabled?: boolean; error?: string } = {},
): Promise<string> {
  const id = newId();
  const at = new Date();
  const { label = "Acme skills", owner = "acme", repo = "skills", enabled = true, error } = seed;
  await db.catalogSource.create({
    data: {
      id,
      label,
      owner,
      repo,
      enabled,
      repoUrl: `https://github.com/${owner}/${repo}`,
      defaultBranch: "main",
      repositoryId: "1",
      commit: "c".repeat(40),
      syncedAt: at,
      createdAt: at,
      updatedAt: at,
      error: error ?? null,
    },
  });
  return id;
}

/** A row of an entry with a file list and no stored blobs. */
export function entryRow(sourceId: string, seed: EntrySeed) {
  const folder = seed.folder ?? `skills/${seed.name}`;
  const at = seed.changedAt ?? new Date();
  const sha = Buffer.from(seed.content ?? folder)
    .toString("hex")
    .padEnd(40, "0")
    .slice(-40);
  const files = [{ path: "SKILL.md", mode: "644" as const, sha, size: seed.bytes ?? 1000, kind: "file" as const }];
  const slug = slugOf(seed.name);
  return {
    id: newId(),
    sourceId,
    folder,
    name: seed.name,
    slug,
    description: seed.description ?? "",
    whenToUse: seed.whenToUse ?? null,
    allowedTools: seed.tools ? JSON.stringify(seed.tools) : null,
    toolNames: JSON.stringify(seed.tools ?? []),
    license: seed.license ?? null,
    tags: JSON.stringify(seed.tags ?? []),
    category: seed.category ?? "general",
    kind: "playbook",
    classGuess: "safe",
    hasScripts: seed.hasScripts ?? false,
    filesCount: 1,
    bytes: seed.bytes ?? 1000,
    files: JSON.stringify(files),
    commit: "c".repeat(40),
    treeSha: sha,
    contentKey: contentKeyOf(files),
    markerSha: sha,
    manifest: JSON.stringify({ ...EMPTY_MANIFEST, name: seed.name, slug, description: seed.description ?? "" }),
    diagnostics: "[]",
    blockedCode: seed.blocked?.code ?? null,
    blockedReason: seed.blocked?.reason ?? null,
    state: seed.state ?? "present",
    firstSeenAt: seed.firstSeenAt ?? at,
    changedAt: at,
  };
}

export async function fillEntries(db: Tx, sourceId: string, seeds: EntrySeed[]): Promise<string[]> {
  const rows = seeds.map((seed) => entryRow(sourceId, seed));
  for (let start = 0; start < rows.length; start += 100) {
    await db.catalogEntry.createMany({ data: rows.slice(start, start + 100) });
  }
  return rows.map(({ id }) => id);
}
