import { setImmediate as otherWork } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";

const PLAIN = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

type Triple = readonly [number, number, number];

/**
 * Assigns a version name to each version of a skill: three numbers, each greater than the name before. `stated` holds
 * what each version states, in stored order; a valid greater name is kept, else the next minor one is used. Later
 * versions never change a name.
 */
export function assignVersionNames(stated: readonly (string | null)[]): string[] {
  const names: string[] = [];
  let before: Triple | null = null;
  for (const text of stated) {
    const own = text === null ? null : parseVersionName(text);
    const name: Triple = own !== null && (before === null || compare(own, before) > 0) ? own : nextMinor(before);
    names.push(name.join("."));
    before = name;
  }
  return names;
}

/** Whether a name is newer than another. False when either is not three numbers. */
export function isNewerName(name: string, than: string): boolean {
  const [a, b] = [parseVersionName(name), parseVersionName(than)];
  return a !== null && b !== null && compare(a, b) > 0;
}

/** Numbers of a name such as `1.4.0`; null for anything else, including pre-releases. */
export function parseVersionName(text: string): Triple | null {
  const found = PLAIN.exec(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : null;
}

function nextMinor(before: Triple | null): Triple {
  return before === null ? [1, 0, 0] : [before[0], before[1] + 1, 0];
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

const MAX_KEPT = 50_000;
const IDS_AT_ONCE = 500;

const Stated = z.object({ version: z.string().nullish() });
type Stated = z.infer<typeof Stated>;

/**
 * Names of all versions of these skills, by version id. A version states the name it was published with, else the
 * version in its files.
 */
export async function nameVersions(ctx: Ctx, skillIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sqlOf(ctx).all(OF_SKILLS, JSON.stringify([...new Set(skillIds)]));
  const stated = await readStated(
    ctx,
    rows.map(({ id }) => id),
  );
  const bySkill = new Map<string, string[]>();
  for (const { id, skillId } of rows) {
    const ids = bySkill.get(skillId);
    if (ids === undefined) bySkill.set(skillId, [id]);
    else ids.push(id);
  }
  const names = new Map<string, string>();
  for (const versionIds of bySkill.values()) {
    const given = assignVersionNames(versionIds.map((id) => stated.get(id) ?? null));
    for (const [index, name] of given.entries()) names.set(versionIds[index] ?? "", name);
  }
  return names;
}

/** Stated names never change, so they are cached. */
async function readStated(ctx: Ctx, ids: string[]): Promise<Map<string, string | null>> {
  const kept = storeOf(ctx.database, "stated-versions", () => new LRUCache<string, Stated>({ max: MAX_KEPT }));
  const found = new Map<string, string | null>();
  for (const id of ids) {
    const known = kept.get(id);
    if (known !== undefined) found.set(id, known.version ?? null);
  }
  for (const some of inParts(ids.filter((id) => !found.has(id)))) {
    for (const row of await sqlOf(ctx).all(STATED, JSON.stringify(some))) {
      const published = parseJsonColumn(Stated, row.provenance).version;
      const version = published ?? parseJsonColumn(Stated, row.manifest).version ?? null;
      found.set(row.id, version);
      kept.set(row.id, { version });
    }
    await otherWork();
  }
  return found;
}

const ofSkills = (dialect: Dialect) =>
  `SELECT "id", "skillId" FROM "Version" WHERE "skillId" IN ${jsonList(dialect)} ORDER BY "skillId", "number"`;
const OF_SKILLS = query<{ id: string; skillId: string }>({
  sqlite: ofSkills("sqlite"),
  postgresql: ofSkills("postgresql"),
});
const statedOf = (dialect: Dialect) =>
  `SELECT "id", "manifest", "provenance" FROM "Version" WHERE "id" IN ${jsonList(dialect)}`;
const STATED = query<{ id: string; manifest: string; provenance: string }>({
  sqlite: statedOf("sqlite"),
  postgresql: statedOf("postgresql"),
});

function inParts<T>(items: T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += IDS_AT_ONCE) parts.push(items.slice(at, at + IDS_AT_ONCE));
  return parts;
}
