import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Integration as IntegrationRow, Prisma, type Skill } from "@/lib/db/generated/client";
import { listOf, readComposed } from "@/lib/db/sql";
import { integrationKey, ORG } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { deleteSkill } from "@/lib/skills/edit-skills";
import { type ReadSkill, storeVersion } from "../versions/store-version";
import { integrationsFolder, type ReadDomain, readDomain, readDomains } from "./integration-folders";
import {
  type Integration,
  type IntegrationEntry,
  type IntegrationList,
  type IntegrationScope,
  SkippedSkill,
} from "./schema";

/** All integrations of the server's directory, and those that were set up before their folders were deleted. */
export async function listIntegrations(ctx: Ctx): Promise<IntegrationList> {
  const actor = requireScope(ctx.actor, "read");
  const root = integrationsFolder();
  const entries = await entriesOf(ctx, actor.userId, {});
  const found = root === null ? [] : await readDomains(root);
  const gone = entries.map(({ row }) => row.domain).filter((name) => !found.some(({ domain }) => domain === name));
  const all = [...found, ...[...new Set(gone)].map(missing)];
  return {
    isConfigured: root !== null,
    items: all.map((read) => present(read, entries)),
    nextCursor: null,
  };
}

async function getIntegration(ctx: Ctx, domain: string): Promise<Integration> {
  const actor = requireScope(ctx.actor, "read");
  const root = integrationsFolder();
  if (root === null) throw new AppError("not_found", "This server has no directory of integrations.");
  return present(await readDomain(root, domain), await entriesOf(ctx, actor.userId, { domain }));
}

type OwnedSkill = Pick<Skill, "id" | "name" | "ownerKey" | "currentId" | "pendingId">;
type Entry = { row: IntegrationRow; skills: OwnedSkill[] };

async function entriesOf(ctx: Ctx, userId: string, where: { domain?: string }): Promise<Entry[]> {
  const ofDomain = where.domain === undefined ? Prisma.empty : Prisma.sql`AND "domain" = ${where.domain}`;
  const rows = await readComposed<IntegrationRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Integration" WHERE ("userId" = ${userId} OR "userId" IS NULL) ${ofDomain} ORDER BY "domain"`,
    { createdAt: "date", updatedAt: "date" },
  );
  const skills = await readComposed<OwnedSkill>(
    ctx,
    Prisma.sql`SELECT "id", "name", "ownerKey", "currentId", "pendingId" FROM "Skill"
      WHERE "deletedAt" IS NULL AND "ownerKey" IN ${listOf(
        ctx,
        rows.map(({ ownerKey }) => ownerKey),
      )} ORDER BY "slug"`,
  );
  return rows.map((row) => ({ row, skills: skills.filter(({ ownerKey }) => ownerKey === row.ownerKey) }));
}

function present(read: ReadDomain, entries: Entry[]): Integration {
  const { domain, manifest, problem, skipped } = read;
  const skills = [
    ...read.skills.map(({ manifest: { name } }) => ({ name, problem: null })),
    ...skipped.map(({ name, reason }) => ({ name, problem: reason })),
  ];
  return {
    domain,
    name: manifest?.name ?? domain,
    description: manifest?.description ?? null,
    version: manifest?.version ?? null,
    problem,
    skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)),
    entries: entries
      .filter(({ row }) => row.domain === domain)
      .sort((a, b) => Number(a.row.userId === null) - Number(b.row.userId === null))
      .map(presentEntry),
  };
}

function presentEntry({ row, skills }: Entry): IntegrationEntry {
  return {
    scope: row.userId === null ? "org" : "me",
    version: row.version,
    skipped: parseJsonColumn(z.array(SkippedSkill), row.problems),
    skills: skills.map(({ id, name, currentId, pendingId }) => ({
      ...{ id, name },
      approved: currentId !== null,
      pending: pendingId !== null,
    })),
    setUpBy: row.createdByName,
    setUpAt: row.createdAt.toISOString(),
  };
}

function missing(domain: string): ReadDomain {
  return { domain, manifest: null, problem: "The folder was deleted from the server.", skills: [], skipped: [] };
}

/**
 * Sets up an integration for the caller, or (by an admin) for the organisation: each skill becomes a pending version.
 * Repeating it reads the folder again. `invalid` with the reason when it cannot be read.
 */
export async function setUpIntegration(
  ctx: Ctx,
  { domain, scope }: { domain: string; scope: IntegrationScope },
): Promise<Integration> {
  const actor = requireScope(ctx.actor, scope === "org" ? "admin" : "write");
  const root = integrationsFolder();
  if (root === null) throw new AppError("not_found", "This server has no directory of integrations.");
  const read = await readDomain(root, domain);
  if (read.problem !== null) throw new AppError("invalid", `“${domain}” cannot be set up. ${read.problem}`);
  const userId = scope === "org" ? null : actor.userId;
  const ownerKey = integrationKey(domain, userId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const known = await tx.integration.findUnique({ where: { ownerKey } });
    const made = { createdAt: at, createdById: actor.userId, createdByName: actor.name, updatedAt: at };
    const entry = known ?? (await tx.integration.create({ data: { id: newId(), domain, ownerKey, userId, ...made } }));
    if (known === null) {
      await recordEvent(tx, txCtx, {
        action: "integration.setup",
        summary: `set up ${domain} for ${scope === "org" ? "the organisation" : "themselves"}`,
        target: { kind: "integration", id: entry.id, name: domain },
      });
    }
    await applyIntegration(tx, txCtx, entry, read);
  });
  return getIntegration(ctx, domain);
}

/** Removes an integration and its skills. Their versions and runs stay for the audit log. */
export async function removeIntegration(
  ctx: Ctx,
  { domain, scope }: { domain: string; scope: IntegrationScope },
): Promise<void> {
  const actor = requireScope(ctx.actor, scope === "org" ? "admin" : "write");
  const ownerKey = integrationKey(domain, scope === "org" ? null : actor.userId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const entry = await tx.integration.findUnique({ where: { ownerKey } });
    if (entry === null) throw new AppError("not_found", `“${domain}” is not set up.`);
    const skills = await tx.skill.findMany({ where: { ownerKey, deletedAt: null }, select: { id: true } });
    for (const { id } of skills) await deleteSkill(txCtx, id);
    await tx.integration.delete({ where: { id: entry.id } });
    await recordEvent(tx, txCtx, {
      action: "integration.remove",
      summary: `removed ${domain} and its ${skills.length} skills`,
      target: { kind: "integration", id: entry.id, name: domain },
    });
  });
}

/** Reads the integrations again whose manifest version changed. Returns the number of new versions. */
export async function syncIntegrations(ctx: Ctx): Promise<number> {
  const root = integrationsFolder();
  if (root === null) return 0;
  const entries = await ctx.db.integration.findMany({ orderBy: { id: "asc" } });
  const domains = new Map<string, ReadDomain>();
  let stored = 0;
  for (const entry of entries) {
    const read = domains.get(entry.domain) ?? (await readDomain(root, entry.domain));
    domains.set(entry.domain, read);
    // A broken or deleted folder leaves the imported skills unchanged.
    if (read.manifest === null || read.manifest.version === entry.version) continue;
    stored += await inTransaction(ctx, (tx, txCtx) => applyIntegration(tx, txCtx, entry, read));
  }
  return stored;
}

/** Stores the skills of a folder as pending versions, except those that people edited here; returns their number. */
async function applyIntegration(tx: Tx, ctx: Ctx, entry: IntegrationRow, read: ReadDomain): Promise<number> {
  const version = read.manifest?.version ?? "";
  const skipped: SkippedSkill[] = [...read.skipped];
  let stored = 0;
  for (const skill of read.skills) {
    const reason = await whySkipped(tx, entry, skill);
    if (reason !== null) skipped.push({ name: skill.folder, reason });
    else if (await store(tx, ctx, entry, { skill, version, domain: read.domain })) stored += 1;
  }
  const problems = JSON.stringify(skipped);
  await tx.integration.update({ where: { id: entry.id }, data: { version, problems, updatedAt: ctx.now() } });
  await recordEvent(tx, ctx, {
    action: "integration.read",
    summary: `read ${read.domain} ${version}: ${stored} to review, ${skipped.length} skipped`,
    target: { kind: "integration", id: entry.id, name: read.domain },
    concerns: entry.userId,
    data: { version, skipped },
  });
  return stored;
}

async function store(
  tx: Tx,
  ctx: Ctx,
  entry: IntegrationRow,
  { skill, version, domain }: { skill: ReadSkill; version: string; domain: string },
): Promise<boolean> {
  const sourceId = `${domain}:${skill.folder}`;
  const { skillId, effect } = await storeVersion(
    tx,
    ctx,
    { userId: entry.createdById, name: entry.createdByName },
    {
      read: skill,
      ownerKey: entry.ownerKey,
      source: "integration",
      state: "pending",
      provenance: { integration: domain, folder: skill.folder, integrationVersion: version },
    },
  );
  await tx.skill.update({ where: { id: skillId }, data: { sourceId, sourceVersion: version } });
  return effect !== "known";
}

/** Reason: a person deleted or edited the skill, or the owner has another skill of this name. */
async function whySkipped(tx: Tx, entry: IntegrationRow, { manifest, folder }: ReadSkill): Promise<string | null> {
  const deleted = await tx.skill.findFirst({
    where: { ownerKey: entry.ownerKey, sourceId: `${entry.domain}:${folder}`, deletedAt: { gt: entry.createdAt } },
    select: { id: true },
  });
  if (deleted !== null) {
    return `“${manifest.name}” was deleted here. To restore it, remove the integration and set it up again.`;
  }
  const newest = await tx.version.findFirst({
    where: { skill: { ownerKey: entry.ownerKey, liveSlug: manifest.slug } },
    orderBy: { number: "desc" },
    select: { provenance: true, createdByName: true, number: true },
  });
  if (newest !== null && !("integration" in parseJsonColumn(JsonObject, newest.provenance))) {
    return `${newest.createdByName} changed “${manifest.name}” here (version ${newest.number}); that version stays.`;
  }
  const theirs = await tx.skill.findFirst({
    where: { ownerKey: entry.userId ?? ORG, liveSlug: manifest.slug },
    select: { name: true, source: true },
  });
  if (theirs === null) return null;
  const whose = entry.userId === null ? "The organisation" : entry.createdByName;
  return `${whose} already has a skill “${theirs.name}” (${theirs.source}), which takes precedence. Rename or delete it, and set the integration up again.`;
}
