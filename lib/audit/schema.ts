import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
import { JsonObject } from "@/lib/skill-format/schema";

export const AuditOutcome = z.enum(["ok", "refused", "failed"]);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

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
  sessionId: z.string().nullable(),
  device: z.string().nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  data: JsonObject,
});
export type AuditEvent = z.infer<typeof AuditEvent>;
export const AuditPage = pageOf(AuditEvent);

const filters = {
  tool: z.string().max(200).optional().describe("Tool name of a skill, or its name."),
  actor: z.string().max(200).optional().describe("Id or name of who acted."),
  action: z.string().max(100).optional().describe("Whole (`run.start`) or a noun (`run`)."),
  outcome: AuditOutcome.optional(),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
  run: z.string().max(100).optional(),
  skill: z.string().max(200).optional().describe("Id or name of a skill."),
};
export const ListAuditQuery = PageQuery.extend(filters);
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

/** What the filters can be set to: who and what occurs in the events the caller may see. */
export const AuditFacets = z.object({
  actors: z.array(z.object({ id: z.string(), name: z.string() })),
  actions: z.array(z.string()),
  tools: z.array(z.string()),
});
export type AuditFacets = z.infer<typeof AuditFacets>;
