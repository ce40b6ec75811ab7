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
  /** How many events this one stands for: repeated refusals are counted in one event. */
  count: z.number().int(),
  /** One sentence, without the actor: “approved csv-summary 3f2c9ab”. */
  summary: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  skillId: z.string().nullable(),
  versionDigest: z.string().nullable(),
  runId: z.string().nullable(),
  tool: z.string().nullable(),
  class: z.string().nullable(),
  /** Role of the actor; for runs, role of the caller. */
  role: z.string().nullable(),
  /** For runs and refused runs: keyed digest of the arguments, equal in all events of the run. */
  argumentsDigest: z.string().nullable(),
  sessionId: z.string().nullable(),
  device: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  callerKind: z.string().nullable(),
  onBehalfOf: z.object({ id: z.string(), name: z.string() }).nullable(),
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
  /** Position in the hash chain; null while not chained. */
  chain: z.object({ hash: z.string(), prevHash: z.string() }).nullable(),
  data: JsonObject,
});
export type AuditEvent = z.infer<typeof AuditEvent>;

/** `prevCursor` leads to newer events, also future ones. A rare filter is searched in steps, see `searchedTo`. */
export const AuditPage = pageOf(AuditEvent).extend({
  prevCursor: z.string().nullable(),
  searchedTo: IsoTime.nullable().describe(
    "The time back to which was searched, when the next page continues the search.",
  ),
});
export type AuditPage = z.infer<typeof AuditPage>;

const filters = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Words in the summary or the actor's name, in any order; word endings are ignored."),
  tool: z.string().max(200).optional().describe("Tool name of a skill, or its name."),
  actor: z.string().max(200).optional().describe("Id or name of the actor."),
  action: z.string().max(100).optional().describe("A complete action (`run.start`) or its noun (`run`)."),
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
    .describe("Number of an event, or a time: returns as many events before it as after it."),
});
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

export const AuditDetail = z.object({
  event: AuditEvent,
  /** The hash matches the columns and the event before; null when this cannot be checked. */
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
  lanes: AuditLaneKind.optional().describe("Also count by actor or tool, for the 60 with most events."),
});
export type AuditHistogramQuery = z.infer<typeof AuditHistogramQuery>;

/** `counts` and `bad` (refused or failed) have one number per bucket of `stepMs`. `exact` is false for estimates. */
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

export const AuditFacets = z.object({
  actors: z.array(z.object({ id: z.string(), name: z.string() })),
  actions: z.array(z.string()),
  tools: z.array(z.string()),
  classes: z.array(z.string()),
  decisions: z.array(z.string()),
  devices: z.array(z.string()),
});
export type AuditFacets = z.infer<typeof AuditFacets>;

export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  /** Applied when the page is opened without filters; at most one per person. */
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
