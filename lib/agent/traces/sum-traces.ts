import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { readComposed } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { readVisibleSkills } from "@/lib/skills/access/visible-skills";
import { filterTraces, STATES } from "./filter-traces";
import { numberVersions } from "./present-traces";
import type { TraceFigure, TraceFigures, TraceFiguresQuery } from "./schema";

const MAX_COUNTED = 5_000;
const MAX_SHOWN = 50;

type Row = {
  skillId: string | null;
  versionDigest: string | null;
  outcome: string;
  durationMs: number | null;
  rating: number;
};

/** Uses, success rate, median duration and ratings by skill or version, over the matching traces. */
export async function sumTraces(ctx: Ctx, { by, ...filters }: TraceFiguresQuery): Promise<TraceFigures> {
  const actor = requireScope(ctx.actor, "read");
  const { runs, steps, days } = await filterTraces(ctx, actor, filters, { forCounting: true });
  const ofRuns = await readComposed<Row>(
    ctx,
    Prisma.sql`SELECT "skillId", "versionDigest", "state" AS "outcome", "durationMs", "rating"
      FROM "Run" WHERE ${runs} ORDER BY "id" DESC LIMIT ${MAX_COUNTED}`,
  );
  const ofSteps = await readComposed<Row>(
    ctx,
    Prisma.sql`SELECT "skillId", "versionDigest", "outcome", "durationMs", "rating"
      FROM "AgentStep" WHERE ${steps} ORDER BY "id" DESC LIMIT ${MAX_COUNTED}`,
  );
  const groups = new Map<string, Row[]>();
  for (const row of [...ofRuns, ...ofSteps]) {
    if (row.skillId === null) continue;
    const key = by === "version" ? `${row.skillId} ${row.versionDigest}` : row.skillId;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const most = [...groups.values()].sort((a, b) => b.length - a.length).slice(0, MAX_SHOWN);
  const ids = most.map(([row]) => row?.skillId ?? null);
  const skills = await readVisibleSkills(ctx, ids);
  const digests = by === "version" ? most.map(([row]) => row?.versionDigest ?? null) : [];
  const numbers = await numberVersions(ctx, ids, digests);
  const items = most.flatMap((rows): TraceFigure[] => {
    const [{ skillId = null, versionDigest = null } = {}] = rows;
    const skill = skills.get(skillId ?? "");
    if (!skill) return [];
    const digest = by === "version" ? versionDigest : null;
    const versionNumber = numbers.get(`${skill.id} ${digest}`) ?? null;
    return [
      {
        skill: { id: skill.id, name: skill.name, label: skill.label },
        versionDigest: digest,
        versionNumber,
        ...figuresOf(rows),
      },
    ];
  });
  const isPartial = ofRuns.length === MAX_COUNTED || ofSteps.length === MAX_COUNTED;
  return { items, days, isPartial };
}

function figuresOf(rows: Row[]) {
  const ok = rows.filter(({ outcome }) => outcome === "ok" || STATES.ok.includes(outcome)).length;
  const ended = rows.filter(({ outcome }) => !STATES.open.includes(outcome)).length;
  const durations = rows.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    uses: rows.length,
    okShare: ended === 0 ? null : ok / ended,
    medianMs: median(durations),
    up: rows.filter(({ rating }) => rating > 0).length,
    down: rows.filter(({ rating }) => rating < 0).length,
  };
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
