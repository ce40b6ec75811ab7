import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";

/** What an agent did, one word for each step of its trace. */
export const AgentStepKind = z.enum(["listed", "searched", "loaded", "read", "ran", "refused", "saved"]);
export type AgentStepKind = z.infer<typeof AgentStepKind>;

const Outcome = z.enum(["ok", "refused", "failed"]);

/** A thing with the name it has now; null when it is gone, or not for the caller to see. */
const Named = z.object({ id: z.string(), name: z.string().nullable() });

export const AgentSessionItem = z.object({
  id: z.string(),
  client: z.string().describe("Name and version the client gave, or its user agent."),
  persona: Named.nullable(),
  token: Named.nullable(),
  person: Named,
  startedAt: IsoTime,
  lastSeenAt: IsoTime,
  endedAt: IsoTime.nullable().describe("When its client ended it; most just fall silent."),
  active: z
    .object({ skill: Named, versionDigest: z.string().nullable(), tools: z.array(z.string()).nullable() })
    .nullable()
    .describe("The skill whose playbook it follows; `tools` null limits nothing, empty leaves only Skillgate’s own."),
  counts: z.partialRecord(AgentStepKind, z.number().int()).describe("Steps of each kind."),
  recent: z
    .array(z.object({ kind: AgentStepKind, outcome: Outcome }))
    .describe("Its newest steps, at most 24, oldest first."),
});
export type AgentSessionItem = z.infer<typeof AgentSessionItem>;
export const AgentSessionPage = pageOf(AgentSessionItem);

export const OpenedSession = z.object({ id: z.string(), client: z.string(), startedAt: IsoTime });

const id = (whose: string) => z.string().max(100).optional().describe(whose);

export const ListAgentSessionsQuery = PageQuery.extend({
  persona: id("Id of the persona it acted under."),
  token: id("Id of the token it came with."),
  user: id("Id of the person it acted for."),
  client: z.string().max(300).optional().describe("The client, as the list names it."),
  from: IsoTime.optional().describe("Sessions that were still seen at this time or later."),
  to: IsoTime.optional().describe("Sessions that had begun by this time."),
});
export type ListAgentSessionsQuery = z.infer<typeof ListAgentSessionsQuery>;

export const AgentStepItem = z.object({
  id: z.string(),
  at: IsoTime,
  kind: AgentStepKind,
  outcome: Outcome,
  skill: Named.nullable(),
  versionDigest: z.string().nullable(),
  tool: z.string().nullable(),
  detail: z.string().describe("One sentence; of a refusal, its reason."),
  runId: z.string().nullable(),
  durationMs: z.number().int().nullable(),
});
export type AgentStepItem = z.infer<typeof AgentStepItem>;

export const GetAgentSessionQuery = PageQuery.extend({
  kind: AgentStepKind.optional(),
  skill: id("Id of a skill: only its steps."),
});
export type GetAgentSessionQuery = z.infer<typeof GetAgentSessionQuery>;

export const AgentSessionTrace = AgentSessionItem.extend({
  takenAway: z.array(z.string()).describe("Tools that its active skill takes away, whatever it allows."),
  skills: z.array(Named.extend({ steps: z.number().int() })).describe("Skills it had to do with, at most 100."),
  steps: pageOf(AgentStepItem).describe("Newest first."),
});
export type AgentSessionTrace = z.infer<typeof AgentSessionTrace>;

/** Who and what occurs in the sessions the caller may see, each with how often and when last. */
const Seen = z.object({ sessions: z.number().int(), lastSeenAt: IsoTime });
const SeenNamed = Named.extend(Seen.shape);

export const AgentSessionFacets = z.object({
  personas: z.array(SeenNamed),
  tokens: z.array(SeenNamed),
  people: z.array(SeenNamed),
  clients: z.array(Seen.extend({ client: z.string() })),
});
export type AgentSessionFacets = z.infer<typeof AgentSessionFacets>;
