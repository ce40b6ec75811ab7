import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { keepParsed } from "@/lib/core/json";
import { redactMarked } from "@/lib/core/redact/redact-marked";
import type { Page } from "@/lib/core/schema";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { query, readComposed, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { SkillManifest } from "@/lib/skill-format/schema";
import { filterTraces } from "./filter-traces";
import { type LoadedTraces, loadTraces, presentTraces } from "./present-traces";
import {
  type ListTracesQuery,
  MAX_TRACE_BYTES,
  type Rating,
  type Trace,
  type TraceDetail,
  type TraceSide,
} from "./schema";

/** A trace with its input and output; `not_found` also when the caller may not see it. */
export async function getTrace(ctx: Ctx, id: string): Promise<TraceDetail> {
  const loaded = await requireTrace(ctx, id);
  const [trace] = await presentTraces(ctx, loaded, [id]);
  if (trace === undefined) throw new Error("presentTraces returned no trace");
  if (loaded.runs.length > 0) {
    const run = await sqlOf(ctx).get(RUN, id);
    if (run === undefined) throw new Error("a run was read and is gone");
    return { ...trace, input: inputOf(run), output: sideOf(run.result) };
  }
  const step = await sqlOf(ctx).get(STEP, id);
  return { ...trace, input: sideOf(step?.input ?? null), output: sideOf(step?.output ?? null) };
}

type RunSides = { args: string; result: string | null; manifest: string };

const RUN = query<RunSides>(
  `SELECT r."args", r."result", v."manifest" FROM "Run" r JOIN "Version" v ON v."id" = r."versionId" WHERE r."id" = ?`,
);
const STEP = query<{ input: string | null; output: string | null }>(
  `SELECT "input", "output" FROM "AgentStep" WHERE "id" = ?`,
);

/** The rows of a visible trace, else `not_found`. */
async function requireTrace(ctx: Ctx, id: string): Promise<LoadedTraces> {
  const actor = requireScope(ctx.actor, "read");
  const { runs, steps } = await filterTraces(ctx, actor, {});
  const found = await readComposed<{ id: string }>(
    ctx,
    Prisma.sql`SELECT "id" FROM "Run" WHERE "id" = ${id} AND ${runs}
      UNION ALL SELECT "id" FROM "AgentStep" WHERE "id" = ${id} AND ${steps}`,
  );
  if (found.length === 0) {
    throw new AppError("not_found", `There is no trace ${id.slice(0, 64)} that you can see. Old traces are deleted.`);
  }
  return loadTraces(ctx, [id]);
}

function inputOf(run: RunSides): TraceSide | null {
  const { schema } = keepParsed(SkillManifest, run.manifest);
  return sideOf(JSON.stringify(redactMarked(schema, JSON.parse(run.args))));
}

function sideOf(text: string | null): TraceSide | null {
  if (text === null) return null;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TRACE_BYTES) return { text, bytes: bytes.length, digest: null };
  // Drops a character that was cut in half.
  const shown = new TextDecoder().decode(bytes.subarray(0, MAX_TRACE_BYTES)).replace(/\uFFFD$/, "");
  return { text: shown, bytes: bytes.length, digest: sha256Hex(text) };
}

/** Runs, loaded playbooks and refusals, newest first. Ids of runs and steps sort by time, so they are the cursor. */
export async function listTraces(ctx: Ctx, { cursor, limit, ...filters }: ListTracesQuery): Promise<Page<Trace>> {
  const actor = requireScope(ctx.actor, "read");
  const before = cursor === undefined ? null : decodeCursor(z.string(), cursor);
  const { runs, steps } = await filterTraces(ctx, actor, filters);
  const older = before === null ? Prisma.empty : Prisma.sql`AND "id" < ${before}`;
  const take = limit + 1;
  const found = await readComposed<{ id: string }>(
    ctx,
    Prisma.sql`SELECT "id" FROM (
      SELECT "id" FROM (SELECT "id" FROM "Run" WHERE ${runs} ${older} ORDER BY "id" DESC LIMIT ${take}) AS "runs"
      UNION ALL
      SELECT "id" FROM (SELECT "id" FROM "AgentStep" WHERE ${steps} ${older} ORDER BY "id" DESC LIMIT ${take}) AS "steps"
    ) AS "both" ORDER BY "id" DESC LIMIT ${take}`,
  );
  const { items, nextCursor } = toPage(found, limit, ({ id }) => id);
  const ids = items.map(({ id }) => id);
  return { items: await presentTraces(ctx, await loadTraces(ctx, ids), ids), nextCursor };
}

const VERBS: Record<Rating, string> = { [-1]: "rated down", 0: "removed the rating of", 1: "rated up" };

/** 0 removes the rating. People rate their own uses; reviewers and admins all. Needs the scope `run`. */
export async function rateTrace(ctx: Ctx, id: string, rating: Rating): Promise<TraceDetail> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const loaded = await requireTrace(txCtx, id);
    const [trace] = await presentTraces(txCtx, loaded, [id]);
    if (trace === undefined || !trace.mayRate) {
      throw new AppError("forbidden", "Only the person who used a skill and reviewers may rate that use.", {
        rule: "own-traces",
      });
    }
    if (trace.rating === rating) return;
    const data = { rating, ratedById: rating === 0 ? null : actor.userId };
    const where = { id };
    if (loaded.runs.length > 0) await tx.run.updateMany({ where, data });
    else await tx.agentStep.updateMany({ where, data });
    const name = trace.skill?.name ?? "a skill";
    await recordEvent(tx, txCtx, {
      action: "trace.rate",
      summary: `${VERBS[rating]} a use of ${name}`,
      target: { kind: trace.runId === null ? "agent-step" : "run", id, name },
      ...(trace.skill === null ? {} : { skillId: trace.skill.id }),
      ...(trace.versionDigest === null ? {} : { versionDigest: trace.versionDigest }),
      ...(trace.runId === null ? {} : { runId: trace.runId }),
      data: { rating, before: trace.rating },
    });
  });
  return getTrace(ctx, id);
}
