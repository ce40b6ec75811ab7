import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { findPublisher } from "@/lib/skills/community/publishers";
import { requireOwnerKey } from "@/lib/skills/skill-access";
import { unusableUpload } from "@/lib/skills/transfer/read-upload";
import { acceptableFiles } from "@/lib/skills/versions/files-from-input";
import { assertImportQuota, storeVersion } from "@/lib/skills/versions/store-version";
import { isNewerName, nameVersions, parseVersionName } from "../version-names";

import type { PublishInput } from "./schema";

/**
 * `POST /api/v1/skills`: stores the uploaded files as a pending version of the caller's skill. Throws `conflict` unless
 * the version is newer than the newest and its files are new, `forbidden` for another publisher's name, `invalid` for a
 * slug that differs from the skill's own.
 */
export async function publishClawSkill(ctx: Ctx, input: PublishInput) {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, "me");
  await assertOwn(ctx, actor.userId, input.ownerHandle);
  await assertImportQuota(ctx, actor.userId);
  if (parseVersionName(input.version) === null) {
    throw new AppError("invalid", `The version “${input.version}” is not three numbers, such as 1.0.0.`);
  }
  return inTransaction(ctx, async (tx, txCtx) => {
    const read = readFiles(input.slug, await takeFiles(tx, txCtx, actor.userId, input.files));
    const existing = await tx.skill.findFirst({ where: { ownerKey, liveSlug: read.manifest.slug } });
    if (existing !== null) await assertNewer(txCtx, existing.id, input.version);
    const provenance = { door: "clawhub", version: input.version, at: ctx.now().toISOString() };
    const stored = await storeVersion(tx, txCtx, actor, {
      ...{ read, ownerKey, provenance },
      source: "imported",
      state: "pending",
    });
    if (stored.effect === "known") {
      const name = (await nameVersions(txCtx, [stored.skillId])).get(stored.versionId);
      throw new AppError(
        "conflict",
        `These files are already version ${name}; nothing was published.${stored.hint === null ? "" : ` ${stored.hint}`}`,
      );
    }
    const changelog = input.changelog.trim();
    if (changelog) await tx.version.update({ where: { id: stored.versionId }, data: { changelog } });
    await recordEvent(tx, txCtx, {
      action: "version.publish",
      summary: `published ${read.manifest.name} ${input.version} for review`,
      target: { kind: "skill", id: stored.skillId, name: read.manifest.name },
      skillId: stored.skillId,
      versionDigest: stored.digest,
      data: { version: input.version, door: "clawhub" },
    });
    return {
      ok: true as const,
      ...{ skillId: stored.skillId, versionId: stored.versionId, slug: read.manifest.slug, version: input.version },
      status: "pending" as const,
      publicationStatus: "pending" as const,
    };
  });
}

async function assertOwn(ctx: Ctx, userId: string, handle: string | undefined): Promise<void> {
  if (!handle) return;
  const publisher = await findPublisher(ctx, handle);
  if (publisher?.userId === userId) return;
  throw new AppError(
    "forbidden",
    `You can publish under your own handle only; @${handle} belongs to another publisher.`,
  );
}

async function takeFiles(tx: Tx, ctx: Ctx, userId: string, wanted: PublishInput["files"]): Promise<SkillFile[]> {
  const tickets = await tx.uploadTicket.findMany({
    where: { id: { in: wanted.map(({ storageId }) => storageId) }, userId, expiresAt: { gt: ctx.now() } },
  });
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  const files = wanted.map(({ path, sha256, storageId, uploadTicket }): SkillFile => {
    const ticket = byId.get(storageId);
    const isHeld = ticket !== undefined && ticket.secretHash === sha256Hex(uploadTicket);
    if (!isHeld || ticket.bytes === null || ticket.path !== path || ticket.sha256 !== sha256) {
      throw new AppError("invalid", `${path} was not uploaded within the last hour. Publish again.`);
    }
    return { path, mode: "644", bytes: new Uint8Array(ticket.bytes) };
  });
  await tx.uploadTicket.deleteMany({ where: { id: { in: [...byId.keys()] } } });
  return acceptableFiles(files);
}

function readFiles(slug: string, files: SkillFile[]) {
  const read = { folder: slug, files, ...readSkill(files, { folder: slug }) };
  if (read.diagnostics.some(({ severity }) => severity === "error")) {
    throw unusableUpload({ usable: [], refused: [read], diagnostics: [] });
  }
  if (read.manifest.slug !== slug) {
    const { slug: own } = read.manifest;
    throw new AppError(
      "invalid",
      `SKILL.md calls the skill “${own}”. Publish it with --slug ${own}, or change its name.`,
    );
  }
  return read;
}

async function assertNewer(ctx: Ctx, skillId: string, wanted: string): Promise<void> {
  const names = [...(await nameVersions(ctx, [skillId])).values()];
  const newest = names.reduce((found, name) => (found === "" || isNewerName(name, found) ? name : found), "");
  if (newest === "" || isNewerName(wanted, newest)) return;
  const [major = 1, minor = 0, patch = 0] = parseVersionName(newest) ?? [];
  throw new AppError(
    "conflict",
    `Version ${wanted} is not newer than ${newest}, the newest stored version. Publish it as ${major}.${minor}.${patch + 1} or later.`,
  );
}
