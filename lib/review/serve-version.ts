import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import { servedManifest } from "@/lib/skills/standing/served-manifest";
import { metadataColumns } from "@/lib/skills/versions/store-version";

type Served = { id: string; manifest: string; entry: string | null };

/** Makes an approved version the one that serves; what people set on the skill themselves stays. */
export async function serveVersion(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: Served,
  decidedClass: SkillClass,
): Promise<void> {
  const manifest = servedManifest(version);
  const shown = skill.current ? parseJsonColumn(SkillManifest, skill.current.manifest) : manifest;
  const tags = parseJsonColumn(z.array(z.string()), skill.tags);
  await tx.skill.update({
    where: { id: skill.id },
    data: {
      ...metadataColumns(manifest, decidedClass),
      ...(skill.category === shown.category ? { category: manifest.category } : {}),
      ...(JSON.stringify(tags) === JSON.stringify(shown.tags) ? { tags: JSON.stringify(manifest.tags) } : {}),
      currentId: version.id,
      pendingId: await newestPending(tx, skill.id),
      updatedAt: ctx.now(),
    },
  });
}

/** After a version was refused or revoked: it no longer waits, and if it served, nothing serves and the skill is off. */
export async function dropCurrent(
  tx: Tx,
  ctx: Ctx,
  skill: SkillRow,
  version: { id: string; entry: string | null },
): Promise<void> {
  const served = skill.currentId === version.id;
  await tx.skill.update({
    where: { id: skill.id },
    data: {
      ...(served ? { currentId: null, enabled: false } : {}),
      // What only its decision made runnable is not so by its files.
      ...(served && version.entry !== null ? { runnable: false, argsSchema: null } : {}),
      pendingId: await newestPending(tx, skill.id),
      updatedAt: ctx.now(),
    },
  });
}

async function newestPending(tx: Tx, skillId: string): Promise<string | null> {
  const pending = await tx.version.findFirst({
    where: { skillId, state: "pending" },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  return pending?.id ?? null;
}
