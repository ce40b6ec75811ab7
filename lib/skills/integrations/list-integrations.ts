import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Integration as IntegrationRow, Skill } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { integrationsFolder, type ReadDomain, readDomain, readDomains } from "./read-domains";
import { type Integration, type IntegrationEntry, type IntegrationList, SkippedSkill } from "./schema";

/** Every integration of the server’s directory, and those that were set up and are gone from it. */
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

/** One integration. */
export async function getIntegration(ctx: Ctx, domain: string): Promise<Integration> {
  const actor = requireScope(ctx.actor, "read");
  const root = integrationsFolder();
  if (root === null) throw new AppError("not_found", "This server has no directory of integrations.");
  return present(await readDomain(root, domain), await entriesOf(ctx, actor.userId, { domain }));
}

type Entry = { row: IntegrationRow; skills: Skill[] };

async function entriesOf(ctx: Ctx, userId: string, where: { domain?: string }): Promise<Entry[]> {
  const rows = await ctx.db.integration.findMany({
    where: { ...where, OR: [{ userId }, { userId: null }] },
    orderBy: { domain: "asc" },
  });
  const skills = await ctx.db.skill.findMany({
    where: { deletedAt: null, ownerKey: { in: rows.map(({ ownerKey }) => ownerKey) } },
    orderBy: { slug: "asc" },
  });
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
  return { domain, manifest: null, problem: "Its folder is gone from the server.", skills: [], skipped: [] };
}
