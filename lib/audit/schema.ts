import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { JsonObject } from "@/lib/skill-format/schema";

export const AuditOutcome = z.enum(["ok", "refused", "failed"]);
export type AuditOutcome = z.infer<typeof AuditOutcome>;
export const AuditDecision = z.enum(["allow", "ask", "refuse", "approve", "reject"]);
export type AuditDecision = z.infer<typeof AuditDecision>;

export const AuditEvent = z.object({
  seq: z.number().int(),
  at: IsoTime,
  actor: z.object({
    kind: z.enum(["user", "token", "worker", "system", "anonymous"]),
    id: z.string().nullable(),
    name: z.string(),
    role: z.string().nullable(),
  }),
  action: z.string(),
  outcome: AuditOutcome,
  /** Refusals of anonymous callers are counted in one event an hour. */
  count: z.number().int(),
  /** One sentence, without the actor: “approved csv-summary 3f2c9ab”. */
  summary: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  skillId: z.string().nullable(),
  versionDigest: z.string().nullable(),
  runId: z.string().nullable(),
  tool: z.string().nullable(),
  class: z.string().nullable(),
  /** Role of who acted, and of a run that of who asked for it. */
  role: z.string().nullable(),
  /** Of a run and of one that was refused: keyed digest of its arguments, the same in each of its events. */
  argumentsDigest: z.string().nullable(),
  sessionId: z.string().nullable(),
  device: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** How it was asked for: browser, api, agent, worker or system. */
  callerKind: z.string().nullable(),
  onBehalfOf: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** What the policy or a person said, by which rule, and who has signed. */
  decision: AuditDecision.nullable(),
  rule: z.string().nullable(),
  approvers: z.array(z.object({ id: z.string(), name: z.string() })),
  startedAt: IsoTime.nullable(),
  finishedAt: IsoTime.nullable(),
  durationMs: z.number().nullable(),
  traceId: z.string().nullable(),
  /** Without secrets; a long value is `{"omitted": {"sha256", "length"}}`. */
  arguments: z.unknown(),
  result: z.unknown(),
  error: z.unknown(),
  /** Place in the hash chain; null for an event that is not chained yet. */
  chain: z.object({ hash: z.string(), prevHash: z.string() }).nullable(),
  data: JsonObject,
});
export type AuditEvent = z.infer<typeof AuditEvent>;

/**
 * Events, newest first. `prevCursor` leads to what is newer, also to what will be. A filter that hardly any event fits is
 * searched for in steps: a page may hold fewer than it could and say how far back it has looked.
 */
export const AuditPage = pageOf(AuditEvent).extend({
  prevCursor: z.string().nullable(),
  searchedTo: IsoTime.nullable().describe("How far was searched, when the search goes on with the next page."),
});
export type AuditPage = z.infer<typeof AuditPage>;

const filters = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Words of the sentence or of who acted, in any order; word endings do not count."),
  tool: z.string().max(200).optional().describe("Tool name of a skill, or its name."),
  actor: z.string().max(200).optional().describe("Id or name of who acted."),
  action: z.string().max(100).optional().describe("Whole (`run.start`) or a noun (`run`)."),
  class: z.string().max(20).optional(),
  decision: AuditDecision.optional(),
  outcome: AuditOutcome.optional(),
  device: z.string().max(200).optional(),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
  run: z.string().max(100).optional(),
  session: z.string().max(100).optional(),
  skill: z.string().max(200).optional().describe("Id or name of a skill."),
  version: z.string().max(64).optional().describe("Digest of a version."),
};
export const AuditFilter = z.object(filters);
export type AuditFilter = z.infer<typeof AuditFilter>;
export const ExportAuditQuery = AuditFilter.extend({
  format: z.enum(["ndjson", "csv"]).default("ndjson").describe("NDJSON can be verified; CSV is for spreadsheets."),
});
export type ExportAuditQuery = z.infer<typeof ExportAuditQuery>;
export const ListAuditQuery = PageQuery.extend(filters).extend({
  around: z
    .union([z.coerce.number().int().min(1), IsoTime])
    .optional()
    .describe("Number of an event or a time: as many events before it as after it."),
});
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

/** One event, with what stands beside it in the list and what there still is of what it speaks of. */
export const AuditDetail = z.object({
  event: AuditEvent,
  /** Its hash fits its columns and the event before; null when that cannot be said here. */
  verified: z.boolean().nullable(),
  before: JsonObject.nullable(),
  after: JsonObject.nullable(),
  older: z.number().int().nullable(),
  newer: z.number().int().nullable(),
  links: z.object({
    skill: z.string().nullable(),
    version: z.string().nullable(),
    run: z.string().nullable(),
    approval: z.string().nullable(),
    session: z.string().nullable(),
  }),
});
export type AuditDetail = z.infer<typeof AuditDetail>;

export const AuditLaneKind = z.enum(["actor", "tool"]);
export type AuditLaneKind = z.infer<typeof AuditLaneKind>;
export const AuditHistogramQuery = AuditFilter.extend({
  buckets: z.coerce.number().int().min(10).max(240).default(120),
  lanes: AuditLaneKind.optional().describe("Counts of each actor or tool too, the 60 with most events."),
});
export type AuditHistogramQuery = z.infer<typeof AuditHistogramQuery>;

/**
 * Events over time. `counts` and `bad` (refused or failed) have one number for each bucket of `stepMs` from `from` on.
 * `exact` is false when they are estimated from a sample.
 */
export const AuditHistogram = z.object({
  from: IsoTime,
  to: IsoTime,
  stepMs: z.number().int(),
  exact: z.boolean(),
  total: z.number().int(),
  counts: z.array(z.number().int()),
  bad: z.array(z.number().int()),
  lanes: z.array(
    z.object({ key: z.string(), name: z.string(), total: z.number().int(), counts: z.array(z.number().int()) }),
  ),
  moreLanes: z.number().int(),
});
export type AuditHistogram = z.infer<typeof AuditHistogram>;

/** What the filters can be set to: who and what occurs in the events the caller may see. */
export const AuditFacets = z.object({
  actors: z.array(z.object({ id: z.string(), name: z.string() })),
  actions: z.array(z.string()),
  tools: z.array(z.string()),
  classes: z.array(z.string()),
  decisions: z.array(z.string()),
  devices: z.array(z.string()),
});
export type AuditFacets = z.infer<typeof AuditFacets>;

/** Filters of a page under a name that their owner gave them. */
export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the address, without the question mark. */
  query: z.string(),
  /** Shown when the page is opened without filters; one for each person at most. */
  isDefault: z.boolean(),
});
export type SavedView = z.infer<typeof SavedView>;
export const SavedViewList = z.object({ items: z.array(SavedView), nextCursor: z.null() });

export const SaveViewInput = z.object({
  name: lineOfText(60),
  query: z.string().max(2_000),
  isDefault: z.boolean().default(false),
});
export type SaveViewInput = z.infer<typeof SaveViewInput>;

export const UpdateViewInput = z
  .object({ name: lineOfText(60), query: z.string().max(2_000), isDefault: z.boolean() })
  .partial();
export type UpdateViewInput = z.infer<typeof UpdateViewInput>;
