import type { Caller } from "../harness/call-api";
import { must } from "../harness/publish-skill";
import type { UnderWay } from "./mixed-load";
import type { Acknowledged } from "./witness";

type Page<T> = { items: T[]; nextCursor: string | null };
type Skill = {
  id: string;
  tags: string[];
  enabled: boolean;
  currentVersion: { digest: string } | null;
  pendingVersion: { digest: string } | null;
};

/** What was acknowledged and is not there. What is under way when the server dies may be there instead. */
export async function findLost(
  caller: Caller,
  acknowledged: Acknowledged[],
  underWay: UnderWay,
): Promise<Acknowledged[]> {
  const skills = await byId<Skill>(caller, "/api/skills?limit=100");
  const runs = await byId<{ id: string }>(caller, "/api/runs?limit=100");
  const tokens = await byId<{ id: string; revokedAt: string | null }>(caller, "/api/tokens?limit=100");
  const { values } = await must<{ values: Record<string, unknown> }>(caller, "GET", "/api/admin/settings");
  const latest = new Map(acknowledged.map((write) => [`${write.kind} ${write.id}`, write]));
  const revoked = new Set(acknowledged.filter(({ kind }) => kind === "revoking").map(({ id }) => id));

  const isThere = ({ kind, id, value }: Acknowledged): boolean => {
    const skill = skills.get(id);
    const may = [value, ...(underWay.get(`${kind} ${id}`) ?? [])];
    if (kind === "revoking") return true;
    if (kind === "run") return runs.has(id);
    if (kind === "token") return revoked.has(id) || tokens.has(id);
    // A revoked one may be listed as that, or not at all.
    if (kind === "revoked") return (tokens.get(id)?.revokedAt ?? "gone") !== null;
    if (kind === "setting") return may.includes(String(values[id]));
    if (skill === undefined) return false;
    if (kind === "tags") return may.includes(skill.tags[0] ?? "");
    if (kind === "enabled") return may.includes(String(skill.enabled));
    if (kind === "decision") return skill.currentVersion?.digest === value;
    return [skill.currentVersion?.digest, skill.pendingVersion?.digest].includes(value);
  };
  return [...latest.values()].filter((write) => !isThere(write));
}

async function byId<T extends { id: string }>(caller: Caller, path: string): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page<T> = await must(
      caller,
      "GET",
      cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
    );
    for (const item of page.items) found.set(item.id, item);
    cursor = page.nextCursor;
  }
  return found;
}
