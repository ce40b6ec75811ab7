import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Prisma } from "@/lib/db/generated/client";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { RunLimits } from "@/lib/worker/protocol";
import { Run, RunState } from "./schema";

export const withNames = {
  skill: { select: { id: true, name: true, label: true, ownerKey: true, deletedAt: true } },
  version: { select: { number: true } },
  worker: { select: { id: true, name: true } },
} satisfies Prisma.RunInclude;
export type RunRow = Prisma.RunGetPayload<{ include: typeof withNames }>;

const CallerKind = z.enum(["user", "token", "system"]);

export function presentRun(row: RunRow): Run {
  return {
    id: row.id,
    skill: { id: row.skill.id, name: row.skill.name, label: row.skill.label },
    versionDigest: row.versionDigest,
    versionNumber: row.version.number,
    class: SkillClass.parse(row.class),
    state: RunState.parse(row.state),
    args: parseJsonColumn(JsonObject, row.args),
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? "" },
    rawOutput: row.rawOutput,
    exitCode: row.exitCode,
    signal: row.signal,
    timedOut: row.timedOut,
    truncated: row.truncated,
    isolation: Run.shape.isolation.parse(row.isolation),
    worker: row.worker,
    caller: { kind: CallerKind.parse(row.callerKind), id: row.callerId, name: row.callerName },
    sessionId: row.sessionId,
    timeoutMs: parseJsonColumn(RunLimits, row.limits).timeoutMs,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
  };
}
