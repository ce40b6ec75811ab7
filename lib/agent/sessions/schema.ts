import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";

export const AgentStepKind = z.enum(["listed", "searched", "loaded", "read", "ran", "refused", "saved"]);
export type AgentStepKind = z.infer<typeof AgentStepKind>;

const Outcome = z.enum(["ok", "refused", "failed"]);

/** An object with its current name; null when it was deleted or the caller may not see it. */
const Named = z.object({ id: z.string(), name: z.string().nullable() });

/** A skill with its current name and label; both null when it was deleted or the caller may not see it. */
export const NamedSkill = Named.extend({ label: z.string().nullable() });
export type NamedSkill = z.infer<typeof NamedSkill>;

export const AgentSessionItem = z.object({
  id: z.string(),
  client: z.string().describe("Name and version the client gave, or its user agent."),
  persona: Named.nullable(),
  token: Named.nullable(),
  person: Named,
  startedAt: IsoTime,
  lastSeenAt: IsoTime,
  endedAt: IsoTime.nullable().describe("When its client ended it; most clients do not."),
  active: z
    .object({ skill: NamedSkill, versionDigest: z.string().nullable(), tools: z.array(z.string()).nullable() })
    .nullable()
    .describe("The skill whose playbook is active; `tools` null: no limit, empty: only Skillgate’s built-in tools."),
  counts: z.partialRecord(AgentStepKind, z.number().int()).describe("Steps of each kind."),
  recent: z
    .array(z.object({ kind: AgentStepKind, outcome: Outcome }))
    .describe("Its newest steps, at most 24, oldest first."),
});
export type AgentSessionItem = z.infer<typeof AgentSessionItem>;
export const AgentSessionPage = pageOf(AgentSessionItem);

export const OpenedSession = z.object({ id: z.string(), client: z.string(), startedAt: IsoTime });

const id = (description: string) => z.string().max(100).optional().describe(description);

export const ListAgentSessionsQuery = PageQuery.extend({
  persona: id("Id of the agent's persona."),
  token: id("Id of the agent's token."),
  user: id("Id of the agent's person."),
  client: z.string().max(300).optional().describe("The client, as the list names it."),
  from: IsoTime.optional().describe("Sessions last seen at this time or later."),
  to: IsoTime.optional().describe("Sessions that began at this time or earlier."),
});
export type ListAgentSessionsQuery = z.infer<typeof ListAgentSessionsQuery>;

export const AgentStepItem = z.object({
  id: z.string(),
  at: IsoTime,
  kind: AgentStepKind,
  outcome: Outcome,
  skill: NamedSkill.nullable(),
  versionDigest: z.string().nullable(),
  tool: z.string().nullable(),
  detail: z.string().describe("One sentence; for a refusal, its reason."),
  runId: z.string().nullable(),
  durationMs: z.number().int().nullable(),
});
export type AgentStepItem = z.infer<typeof AgentStepItem>;

export const GetAgentSessionQuery = PageQuery.extend({
  kind: AgentStepKind.optional(),
  skill: id("Id of a skill, for its steps only."),
});
export type GetAgentSessionQuery = z.infer<typeof GetAgentSessionQuery>;

export const AgentSessionTrace = AgentSessionItem.extend({
  takenAway: z.array(z.string()).describe("Tools that the active skill denies; this wins over allowed tools."),
  skills: z.array(NamedSkill.extend({ steps: z.number().int() })).describe("Skills in its steps, at most 100."),
  steps: pageOf(AgentStepItem).describe("Newest first."),
});
export type AgentSessionTrace = z.infer<typeof AgentSessionTrace>;

const Seen = z.object({ sessions: z.number().int(), lastSeenAt: IsoTime });
const SeenNamed = Named.extend(Seen.shape);

export const AgentSessionFacets = z.object({
  personas: z.array(SeenNamed),
  tokens: z.array(SeenNamed),
  people: z.array(SeenNamed),
  clients: z.array(Seen.extend({ client: z.string() })),
});
export type AgentSessionFacets = z.infer<typeof AgentSessionFacets>;
