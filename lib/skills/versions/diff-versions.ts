import { structuredPatch } from "diff";
import { AppError } from "@/lib/core/errors";
import { runTask } from "@/lib/core/threads/run-task";
import type { Ctx } from "@/lib/db/context";
import { isScript } from "@/lib/skill-format/executables";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { isWithheld } from "./agent-file-access";
import { presentVersion } from "./get-version";
import { readBlob } from "./read-blob";
import type { CapabilityFact, FileDiff, Version, VersionDiff } from "./schema";

const MAX_MS = 2_000;
/** Comparisons within both limits take a few milliseconds: characters of both texts, and lines that differ. */
const MAX_INLINE_CHARS = 64 * 1024;
const MAX_INLINE_EDITS = 100;

/**
 * Compares two versions: changed files, declarations and permissions. Default of `against`: the active version;
 * `not_found` without one. Agents see which scripts changed, but not their content unless a reviewer granted them.
 */
export async function diffVersions(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const baseDigest = against ?? skill.current?.digest;
  if (!baseDigest) throw new AppError("not_found", `“${skill.name}” has no approved version to compare with.`);
  const base = (await requireVersion(ctx, skill.id, baseDigest)).version;
  const before = await presentVersion(ctx, skill, base);
  const after = await presentVersion(ctx, skill, version);
  return {
    digest: version.digest,
    against: base.digest,
    files: await diffFiles(sidesOf(ctx, base), sidesOf(ctx, version)),
    changes: [...declaredChanges(before, after), ...entryChange(before, after)],
    ...compareVersions(before, after),
  };
}

function sidesOf(ctx: Ctx, version: VersionRow): DiffSide[] {
  return version.files.map(({ path, mode, sha256, size, isText }) => ({
    ...{ path, mode, sha256, size, isText: isText && !isWithheld(ctx.actor, version, { path, mode }) },
    bytes: () => readBlob(ctx, { sha256, path, versionId: version.id }),
  }));
}

/** A pending version is compared with the script of the active one. */
function entryChange(before: Version, after: Version): VersionDiff["changes"] {
  const isGone = !after.files.some(({ path }) => path === before.entry?.path);
  const next = after.state === "approved" ? after.entry : isGone ? null : before.entry;
  if (JSON.stringify(before.entry) === JSON.stringify(next)) return [];
  return [{ field: "runnable script", before: before.entry, after: next }];
}

type Compared = Pick<VersionDiff, "class" | "grants" | "newHosts" | "newExecutables" | "findings">;

function compareVersions(before: Version, after: Version): Compared {
  const decided = { class: before.class ?? before.proposedClass, grants: before.grants ?? before.declaredGrants };
  const next = after.state === "approved" ? after : { class: null, grants: null };
  const nextClass = next.class ?? after.proposedClass;
  return {
    class: { before: decided.class, after: nextClass, changed: decided.class !== nextClass },
    grants: changedFields(decided.grants, next.grants ?? after.declaredGrants),
    newHosts: newHosts(before, after),
    newExecutables: [...newScripts(before, after), ...newCommands(before, after)],
    findings: before.scan.state === "pending" || after.scan.state === "pending" ? null : changedFindings(before, after),
  };
}

function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): VersionDiff["grants"] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

function factsOf(version: Version, kinds: CapabilityFact["kind"][]): CapabilityFact[] {
  return (version.capabilities ?? []).flatMap(({ facts }) => facts).filter(({ kind }) => kinds.includes(kind));
}

function newHosts(before: Version, after: Version): VersionDiff["newHosts"] {
  const known = new Set(factsOf(before, ["host"]).map(({ value }) => value));
  return factsOf(after, ["host"])
    .filter(({ value }) => !known.has(value))
    .map(({ value, path, line }) => ({ host: value, path: path ?? "", line }));
}

function newScripts(before: Version, after: Version): VersionDiff["newExecutables"] {
  return after.files.filter(isScript).flatMap((file) => {
    const was = before.files.find(({ path }) => path === file.path);
    if (was?.sha256 === file.sha256 && was.mode === file.mode) return [];
    return [{ path: file.path, line: null, why: whyNewScript(file, was) }];
  });
}

function whyNewScript(file: Version["files"][number], was: Version["files"][number] | undefined): string {
  const isExecutable = file.mode === "755";
  if (!was) return isExecutable ? "is new and executable" : "is new";
  if (!isScript(was)) return "can be executed now";
  return isExecutable ? "was changed and is executable" : "was changed";
}

/** Hooks, inline commands and install steps that were not there before. */
function newCommands(before: Version, after: Version): VersionDiff["newExecutables"] {
  const kinds: CapabilityFact["kind"][] = ["hook", "inline-command", "install"];
  const known = new Set(factsOf(before, kinds).map(({ kind, value }) => `${kind} ${value}`));
  return factsOf(after, kinds)
    .filter(({ kind, value }) => !known.has(`${kind} ${value}`))
    .map(({ path, line, fact }) => ({ path: path ?? "", line, why: `is new: ${fact}` }));
}

function changedFindings(before: Version, after: Version): NonNullable<VersionDiff["findings"]> {
  const old = new Set(before.findings.map(({ fingerprint }) => fingerprint));
  const now = new Set(after.findings.map(({ fingerprint }) => fingerprint));
  return {
    added: after.findings.filter(({ fingerprint }) => !old.has(fingerprint)),
    removed: before.findings.filter(({ fingerprint }) => !now.has(fingerprint)),
  };
}

const MAX_DIFF_BYTES = 1024 * 1024;

/** One side of a comparison. `bytes` is called only when the hashes differ. */
export type DiffSide = {
  path: string;
  mode: string;
  sha256: string;
  size: number;
  isText: boolean;
  bytes(): Promise<Uint8Array>;
};

/** Changed files. Binaries and files over 1 MiB have no hunks. */
export async function diffFiles(before: DiffSide[], after: DiffSide[]): Promise<FileDiff[]> {
  const paths = [...new Set([...before, ...after].map((file) => file.path))].sort();
  const files: FileDiff[] = [];
  for (const path of paths) {
    const [from, to] = [before, after].map((side) => side.find((file) => file.path === path));
    if (from && to && from.sha256 === to.sha256 && from.mode === to.mode) continue;
    files.push({
      path,
      change: from ? (to ? "changed" : "removed") : "added",
      modeBefore: modeOf(from),
      modeAfter: modeOf(to),
      hunks: await hunksOf(from, to),
    });
  }
  return files;
}

function modeOf(side: DiffSide | undefined): FileDiff["modeBefore"] {
  return side ? (side.mode === "755" ? "755" : "644") : null;
}

async function hunksOf(before: DiffSide | undefined, after: DiffSide | undefined): Promise<FileDiff["hunks"]> {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.some((side) => !side.isText || side.size > MAX_DIFF_BYTES)) return null;
  const text = async (side: DiffSide | undefined) => (side ? new TextDecoder().decode(await side.bytes()) : "");
  return diffTexts(await text(before), await text(after));
}

type Declared = { manifest: SkillManifest; proposedClass: string };

const COMPARED = [
  "description",
  "declaredClass",
  "entry",
  "envAllow",
  "timeoutSeconds",
  "allowedTools",
  "schema",
  "requires",
] as const;

export function declaredChanges(before: Declared, after: Declared): VersionDiff["changes"] {
  const changes: VersionDiff["changes"] = COMPARED.filter(
    (key) => JSON.stringify(before.manifest[key]) !== JSON.stringify(after.manifest[key]),
  ).map((key) => ({ field: key, before: before.manifest[key], after: after.manifest[key] }));
  if (before.proposedClass !== after.proposedClass) {
    changes.push({ field: "class", before: before.proposedClass, after: after.proposedClass });
  }
  return changes;
}

/** Hunks with three lines around each change; null when the comparison takes longer than two seconds. */
export async function diffTexts(before: string, after: string): ReturnType<typeof runTask<"diff">> {
  if (before.length + after.length <= MAX_INLINE_CHARS) {
    const patch = structuredPatch("a", "b", before, after, "", "", { context: 3, maxEditLength: MAX_INLINE_EDITS });
    if (patch !== undefined) return patch.hunks;
  }
  return runTask("diff", { before, after, timeoutMs: MAX_MS });
}
