import { sha256Hex } from "@/lib/core/hash";
import { proposeClass } from "@/lib/policy/propose-class";
import { parseToolPattern } from "@/lib/skill-format/dialects/tools";
import { isScript } from "@/lib/skill-format/executables";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { type Diagnostic, EMPTY_MANIFEST, type SkillManifest } from "@/lib/skill-format/schema";
import { isLfsPointer } from "../github/git-blob";

import type { CatalogFile, CatalogNote, OperatorIndexEntry } from "../schema";
import type { FoundSkill } from "./find-skills";

/** Increase it when the indexing changes: the next sync of every source then indexes all entries again. */
export const INDEX_VERSION = 3;

type OperatorDeclaration = { entry: OperatorIndexEntry | null; isBroken: boolean };

export type IndexedEntry = ReturnType<typeof columnsOf>;

/** Indexes a skill from its file list and the bytes that a sync read; `skipped` when it cannot be installed. */
export function indexSkill(
  found: FoundSkill,
  bytesOf: (sha: string) => Uint8Array,
  options: { repo: string; operator: OperatorDeclaration },
): { entry: IndexedEntry } | { skipped: CatalogNote } {
  const markerBytes = bytesOf(found.marker.sha);
  if (isLfsPointer(markerBytes)) {
    return {
      skipped: {
        code: "lfs_pointer",
        reason: `${found.marker.path} is a Git LFS pointer; its content is not in git.`,
      },
    };
  }
  const { manifest, diagnostics } = readEntry(found.folder, found.files, bytesOf, options.repo);
  const error = diagnostics.find((item) => item.severity === "error");
  if (error) return { skipped: { code: "unreadable", reason: error.message } };
  if (isInternal(manifest)) {
    return { skipped: { code: "internal", reason: "The author marked this skill as internal." } };
  }
  const blocked = findBlock(found, manifest, markerBytes, options.operator);
  return {
    entry: columnsOf(
      found,
      manifest,
      [...diagnostics, ...describeSpecial(found.files)],
      options.operator.entry,
      blocked,
    ),
  };
}

/** Reads the manifest of an entry; `bytesOf` returns empty bytes for files that no sync has read. */
export function readEntry(
  folder: string,
  files: CatalogFile[],
  bytesOf: (sha: string) => Uint8Array,
  repo: string,
): { manifest: SkillManifest; diagnostics: Diagnostic[] } {
  const plain = files.filter((file) => file.kind === "file");
  return readSkill(
    plain.map((file) => ({ path: file.path, mode: file.mode, bytes: bytesOf(file.sha) })),
    { folder: folder === "" ? repo : (folder.split("/").at(-1) ?? folder) },
  );
}

/** A hash of paths, modes and bytes: equal for identical copies. */
export function contentKeyOf(files: CatalogFile[]): string {
  return sha256Hex(files.map((file) => `${file.path}\0${file.kind} ${file.mode}\0${file.sha}\n`).join(""));
}

function columnsOf(
  found: FoundSkill,
  manifest: SkillManifest,
  diagnostics: Diagnostic[],
  operator: OperatorIndexEntry | null,
  blocked: CatalogNote | null,
) {
  const tools = manifest.allowedTools?.map((pattern) => parseToolPattern(pattern).tool) ?? [];
  return {
    folder: found.folder,
    name: manifest.name,
    slug: manifest.slug,
    description: manifest.description,
    whenToUse: manifest.whenToUse,
    allowedTools: manifest.allowedTools && JSON.stringify(manifest.allowedTools),
    toolNames: JSON.stringify([...new Set(tools)]),
    license: manifest.license,
    tags: JSON.stringify([...new Set([...manifest.tags, ...(operator?.tags ?? [])])]),
    category: categoryOf(found, manifest),
    kind: manifest.kind,
    classGuess: proposeClass(manifest, found.files).class,
    hasScripts: found.files.some((file) => file.kind === "file" && isScript(file)),
    filesCount: found.files.length,
    bytes: found.files.reduce((sum, file) => sum + file.size, 0),
    files: JSON.stringify(found.files),
    treeSha: found.treeSha,
    contentKey: contentKeyOf(found.files),
    markerSha: found.marker.sha,
    manifest: JSON.stringify({ ...manifest, body: "" }),
    diagnostics: JSON.stringify(diagnostics),
    operatorIndex: operator && JSON.stringify(operator),
    blockedCode: blocked?.code ?? null,
    blockedReason: blocked?.reason ?? null,
  };
}

function findBlock(
  found: FoundSkill,
  manifest: SkillManifest,
  markerBytes: Uint8Array,
  operator: OperatorDeclaration,
): CatalogNote | null {
  const submodule = found.files.find((file) => file.kind === "submodule");
  if (submodule) {
    return { code: "submodule", reason: `${submodule.path} is a submodule: its content is not in this repository.` };
  }
  if (operator.isBroken) {
    return { code: "index_entry_unreadable", reason: "Its entry in the index of the source cannot be read." };
  }
  if (operator.entry === null) return null;
  const { name, slug, version } = manifest;
  return checkOperatorIndex({ name, slug, version, markerPath: found.marker.path, markerBytes }, operator.entry);
}

function describeSpecial(files: CatalogFile[]): Diagnostic[] {
  return files
    .filter((file) => file.kind !== "file")
    .map((file) => ({
      code: file.kind,
      severity: "warning",
      path: file.path,
      message:
        file.kind === "submodule"
          ? "This is a submodule; its content is not in this repository."
          : "This is a symbolic link; it is installed as a copy of what it points at inside the folder.",
    }));
}

/** Hermes uses `skills/<category>/<skill>`; in OpenClaw's layout, which has `_meta.json`, that folder is an owner. */
function categoryOf(found: FoundSkill, manifest: SkillManifest): string {
  if (manifest.category !== EMPTY_MANIFEST.category) return manifest.category;
  if (found.files.some((file) => file.path === "_meta.json")) return manifest.category;
  return /(?:^|\/)skills\/([^./][^/]*)\/[^/]+$/.exec(found.folder)?.[1] ?? manifest.category;
}

/** `metadata.internal: true` asks installers not to offer the skill. */
function isInternal(manifest: SkillManifest): boolean {
  const metadata = manifest.meta.metadata;
  const internal =
    typeof metadata === "object" && metadata !== null ? (metadata as { internal?: unknown }).internal : undefined;
  return internal === true || internal === "true";
}

type Found = { name: string; slug: string; version: string | null; markerPath: string; markerBytes: Uint8Array };

/** The first difference between an entry and the source's index; null when they match. */
function checkOperatorIndex(found: Found, operator: OperatorIndexEntry): CatalogNote | null {
  const differ = (what: string) => ({
    code: "index_mismatch",
    reason: `The index of the source does not match: ${what}. Ask the maintainers of the source to correct it.`,
  });
  if (operator.sha256 !== null && sha256Hex(found.markerBytes) !== operator.sha256) {
    return differ(
      `${found.markerPath} has the SHA-256 ${sha256Hex(found.markerBytes)}, the index names ${operator.sha256}`,
    );
  }
  if (operator.name !== null && operator.name !== found.name && operator.name !== found.slug) {
    return differ(`the skill is named “${found.name}”, the index names “${operator.name}”`);
  }
  if (operator.version !== null && found.version !== null && operator.version !== found.version) {
    return differ(`the skill has version ${found.version}, the index names ${operator.version}`);
  }
  return null;
}
