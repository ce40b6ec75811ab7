import type { AuditEvent } from "@/lib/db/generated/client";

/** Every column of an event but its two hashes, in the order in which they are hashed. Part of format 1: never reordered. */
export const EVENT_COLUMNS = [
  "seq",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "actorRole",
  "callerKind",
  "onBehalfOfId",
  "onBehalfOfName",
  "concernsId",
  "action",
  "outcome",
  "count",
  "decision",
  "rule",
  "approvers",
  "targetKind",
  "targetId",
  "targetName",
  "skillId",
  "versionDigest",
  "runId",
  "tool",
  "class",
  "sessionId",
  "device",
  "address",
  "requestId",
  "traceId",
  "summary",
  "arguments",
  "result",
  "error",
  "startedAt",
  "finishedAt",
  "durationMs",
  "data",
] as const satisfies readonly (keyof AuditEvent)[];

export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** An event before it is chained. */
export type EventRow = Pick<AuditEvent, EventColumn>;

/** As it stands in the database or in an exported file: whoever changed it may have put anything anywhere. */
export type StoredEvent = { readonly [column in EventColumn | "prevHash" | "hash"]: unknown };

/** The columns that are moments: text, number or `Date`, whichever the source has. */
export const MOMENTS: ReadonlySet<string> = new Set<EventColumn>(["at", "startedAt", "finishedAt"]);
