import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { publicAddress } from "../public-address";
import { displayNameOf } from "../published";
import { nameVersions } from "../version-names";
import { findPinned, findUntampered } from "./find-skill";
import { moderate, moderateWithdrawn, withdrawalOf } from "./moderate";
import { countUse, presentMetadata, presentOwner, presentSkill, presentVersion, UNUSED } from "./present-skill";
import type { Pin, SkillReference } from "./schema";

/**
 * `GET /api/v1/skills/{slug}`. A revoked version is answered with 200 and a blocking moderation: on an HTTP error,
 * clawhub (0.23.3) stops `update --all`.
 */
export async function readClawSkill(ctx: Ctx, wanted: SkillReference) {
  const found = await findUntampered(ctx, wanted).catch(withdrawalOf);
  if (!("published" in found)) {
    const moderation = moderateWithdrawn(found);
    return { skill: null, latestVersion: null, metadata: null, owner: null, moderation };
  }
  const { published, name } = found;
  const { evidence: _, ...moderation } = await moderate(ctx, published);
  return {
    skill: presentSkill(published, (await countUse(ctx, [published])).get(published.skill.id) ?? UNUSED, name),
    latestVersion: presentVersion(published, name),
    metadata: presentMetadata(published),
    owner: presentOwner(published),
    moderation,
  };
}

type Paging = { limit: number; cursor?: string | undefined };

/** `GET /api/v1/skills/{slug}/versions`: approved versions, newest first. */
export async function listClawVersions(ctx: Ctx, wanted: SkillReference, { limit, cursor }: Paging) {
  const { published } = await findPinned(ctx, wanted);
  const before = cursor === undefined ? null : decodeCursor(z.number().int(), cursor);
  const rows = await ctx.db.version.findMany({
    where: { skillId: published.skill.id, state: "approved", ...(before === null ? {} : { number: { lt: before } }) },
    select: { id: true, number: true, changelog: true, createdAt: true, decidedAt: true },
    orderBy: { number: "desc" },
    take: limit + 1,
  });
  const page = toPage(rows, limit, ({ number }) => number);
  const names = await nameVersions(ctx, [published.skill.id]);
  const items = page.items.map(({ id, changelog, createdAt, decidedAt }) => ({
    version: names.get(id) ?? "",
    createdAt: (decidedAt ?? createdAt).getTime(),
    changelog: changelog ?? "",
    changelogSource: changelog === null ? null : ("user" as const),
  }));
  return { items, nextCursor: page.nextCursor };
}

/** `GET /api/v1/skills/{slug}/versions/{version}`. */
export async function readClawVersion(ctx: Ctx, wanted: SkillReference, version: string) {
  const { published, name } = await findPinned(ctx, wanted, { version });
  const files = published.files.map(({ path, size, sha256 }) => ({ path, size, sha256, contentType: typeOf(path) }));
  return {
    version: { ...presentVersion(published, name), files },
    skill: { slug: published.skill.slug, displayName: displayNameOf(published.skill) },
  };
}

/** `GET /api/v1/resolve`: finds the approved version with this fingerprint of a folder. */
export async function resolveFingerprint(ctx: Ctx, { hash, ...wanted }: SkillReference & { hash: string }) {
  const latest = await findPinned(ctx, wanted).catch(nullIfWithdrawn);
  if (latest === null) return { match: null, latestVersion: null };
  const { skill } = latest.published;
  const names = await nameVersions(ctx, [skill.id]);
  const versions = await ctx.db.version.findMany({
    where: { skillId: skill.id, state: "approved" },
    select: { id: true },
    orderBy: { number: "desc" },
  });
  let match: { version: string } | null = null;
  for (const { id } of versions) {
    const version = names.get(id) ?? "";
    const found = await findPinned(ctx, wanted, { version }).catch(nullIfHidden);
    if (found === null || fingerprintFiles(found.published.files) !== hash) continue;
    match = { version };
    break;
  }
  return { match, latestVersion: { version: latest.name } };
}

/** Withdrawn versions match nothing, so their publisher can publish again. */
function nullIfWithdrawn(error: unknown): null {
  withdrawalOf(error);
  return null;
}

/** Some versions of an offered skill may be hidden: those that its owner approved alone. */
function nullIfHidden(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  return nullIfWithdrawn(error);
}

/** `GET /api/v1/skills/{slug}/install`. Clients read this JSON with the statuses 409 and 410 too. */
export async function readInstall(ctx: Ctx, wanted: SkillReference) {
  const found = await findUntampered(ctx, wanted).catch(withdrawalOf);
  if (!("published" in found)) {
    const { message, status } = found;
    return { ok: false as const, slug: wanted.slug, reason: "archive_version_missing" as const, message, status };
  }
  const { published, name } = found;
  const query = new URLSearchParams({
    slug: published.skill.slug,
    ownerHandle: published.publisher.handle,
    version: name,
  });
  return {
    ok: true as const,
    slug: published.skill.slug,
    installKind: "archive" as const,
    archive: { version: name, downloadUrl: publicAddress(`/api/v1/download?${query}`) },
  };
}

/** `GET /api/v1/skills/{slug}/moderation`. */
export async function readModeration(ctx: Ctx, wanted: SkillReference & Pin) {
  const found = await findUntampered(ctx, wanted, wanted).catch(withdrawalOf);
  return { moderation: "published" in found ? await moderate(ctx, found.published) : moderateWithdrawn(found) };
}

function typeOf(path: string): string {
  if (/\.md$/i.test(path)) return "text/markdown";
  return /\.json$/i.test(path) ? "application/json" : "application/octet-stream";
}

/**
 * Fingerprint of the clawhub CLI (0.23.3): SHA-256 over sorted lines `path:sha256`, without `node_modules` and paths
 * with a part that begins with a dot.
 */
function fingerprintFiles(files: readonly { path: string; sha256: string }[]): string {
  const lines = files
    .filter(({ path }) => path.split("/").every((part) => !part.startsWith(".") && part !== "node_modules"))
    .sort((a, b) => a.path.localeCompare(b.path))
    .map(({ path, sha256 }) => `${path}:${sha256}`);
  return sha256Hex(lines.join("\n"));
}
