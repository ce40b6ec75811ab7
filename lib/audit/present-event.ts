import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { AuditEvent as AuditRow } from "@/lib/db/generated/client";
import { JsonObject } from "@/lib/skill-format/schema";
import { AuditEvent } from "./schema";

/** An event as the API shows it. */
export function presentEvent(row: AuditRow): AuditEvent {
  const data = parseJsonColumn(JsonObject, row.data);
  const target =
    row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId ?? "", name: row.targetName ?? "" };
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actor: {
      kind: AuditEvent.shape.actor.shape.kind.parse(row.actorKind),
      id: row.actorId,
      name: row.actorName,
      role: row.actorRole,
    },
    action: row.action,
    outcome: AuditEvent.shape.outcome.parse(row.outcome),
    count: row.count,
    summary: row.summary,
    target,
    skillId: row.skillId,
    versionDigest: row.versionDigest,
    runId: row.runId,
    tool: row.tool,
    class: row.class,
    role: text(data.callerRole) ?? row.actorRole,
    argumentsDigest: text(data.argumentsDigest),
    sessionId: row.sessionId,
    device: row.device,
    address: row.address,
    requestId: row.requestId,
    callerKind: row.callerKind,
    onBehalfOf: row.onBehalfOfId === null ? null : { id: row.onBehalfOfId, name: row.onBehalfOfName ?? "" },
    decision: AuditEvent.shape.decision.catch(null).parse(row.decision),
    rule: row.rule,
    approvers: row.approvers === null ? [] : parseJsonColumn(AuditEvent.shape.approvers, row.approvers),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
    traceId: row.traceId,
    arguments: anyJson(row.arguments),
    result: anyJson(row.result),
    error: anyJson(row.error),
    chain: row.hash === null ? null : { hash: row.hash, prevHash: row.prevHash ?? "" },
    data,
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function anyJson(column: string | null): unknown {
  return column === null ? null : parseJsonColumn(z.unknown(), column);
}
