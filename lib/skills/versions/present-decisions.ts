import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { SkillClass } from "@/lib/skill-format/schema";
import { trustOfDecision } from "@/lib/skills/approval/trust";
import type { VersionRow } from "@/lib/skills/version-access";
import { VersionDecision } from "./schema";

/** Formats decisions for the API, oldest first. */
export function presentDecisions(ctx: Ctx, rows: VersionRow["decisions"]): Promise<VersionDecision[]> {
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      decision: VersionDecision.shape.decision.parse(row.decision),
      comment: row.comment,
      class: row.class === null ? null : SkillClass.catch("dangerous").parse(row.class),
      grants: readGrants(row.grants),
      entry: readEntry(row.entry),
      actor: { id: row.actorId, name: row.actorName },
      soloMode: row.soloMode,
      createdAt: row.createdAt.toISOString(),
      subject: row.subject,
      signature: row.signature,
      keyId: row.keyId,
      standing: VersionDecision.shape.standing.catch("void").parse(row.standing),
      trust: await trustOfDecision(ctx, row),
    })),
  );
}

/** The grants in a column; null also when they are unreadable, so that a broken approval can still be displayed. */
export function readGrants(column: string | null): Grants | null {
  if (column === null) return null;
  try {
    return parseJsonColumn(Grants, column);
  } catch {
    return null;
  }
}

/** The entry script in a column; null also when it is unreadable. */
export function readEntry(column: string | null): ScriptEntry | null {
  if (column === null) return null;
  try {
    return parseJsonColumn(ScriptEntry, column);
  } catch {
    return null;
  }
}
