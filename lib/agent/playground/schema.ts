import { z } from "zod";
import { IsoTime, lineOfText, PageQuery } from "@/lib/core/schema";

/** How far one answer may go; the smallest of them ends it, and the end says which. */
export const PlaygroundLimits = z.object({
  steps: z.number().int().min(1).max(50).default(20).describe("Calls of the model."),
  tokens: z.number().int().min(100).max(1_000_000).default(100_000).describe("In and out, as the model counts them."),
  seconds: z.number().int().min(5).max(900).default(300),
});
export type PlaygroundLimits = z.infer<typeof PlaygroundLimits>;

export const ChosenSkill = z.object({
  skillId: z.string().max(60),
  versionDigest: z.string().max(64).nullable().default(null).describe("Null: the version that serves."),
});
export type ChosenSkill = z.infer<typeof ChosenSkill>;

export const CreateConversationInput = z.strictObject({
  endpointId: z.string().max(60).optional().describe("Left out: the first one by name."),
  model: lineOfText(200).optional().describe("Left out: the endpoint's default."),
  personaId: z.string().max(60).optional().describe("Under which the agent acts; “playground” when left out."),
  skills: z.array(ChosenSkill).max(50).default([]).describe("Empty: all that the persona is offered."),
  limits: PlaygroundLimits.default({ steps: 20, tokens: 100_000, seconds: 300 }),
});
export type CreateConversationInput = z.infer<typeof CreateConversationInput>;

export const SendMessageInput = z.strictObject({ text: z.string().trim().min(1).max(32_000) });
export type SendMessageInput = z.infer<typeof SendMessageInput>;

export const EndReason = z.enum(["done", "steps", "tokens", "time", "stopped", "error"]);
export type EndReason = z.infer<typeof EndReason>;

const Outcome = z.enum(["ok", "refused", "failed", "parked"]);
/** `fork` names the sub-agent that an event belongs to; null is the agent that the person talks to. */
const within = { fork: z.string().nullable() };

/** What happens while a model answers, in the order in which it happens. */
export const PlaygroundEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("preamble"), ...within, text: z.string(), tools: z.array(z.string()) }),
  z.object({ type: z.literal("text"), ...within, text: z.string() }),
  z.object({ type: z.literal("call"), ...within, id: z.string(), tool: z.string(), args: z.unknown() }),
  z.object({
    type: z.literal("result"),
    ...within,
    id: z.string(),
    tool: z.string(),
    outcome: Outcome,
    content: z.string(),
    runId: z.string().nullable(),
    milliseconds: z.number(),
  }),
  z.object({
    type: z.literal("limit"),
    ...within,
    skill: z.string(),
    tools: z.array(z.string()).nullable().describe("The tools the active skill leaves; null: no limit any more."),
  }),
  z.object({ type: z.literal("fork"), ...within, skill: z.string(), tools: z.array(z.string()).nullable() }),
  z.object({ type: z.literal("joined"), ...within, result: z.string(), reason: EndReason }),
  z.object({ type: z.literal("usage"), ...within, steps: z.number(), tokens: z.number() }),
  z.object({ type: z.literal("end"), ...within, reason: EndReason, message: z.string().nullable() }),
]);
export type PlaygroundEvent = z.infer<typeof PlaygroundEvent>;

export const Turn = z.object({
  id: z.string(),
  prompt: z.string(),
  answer: z.string(),
  events: z.array(PlaygroundEvent),
  state: z.enum(["running", "done", "stopped", "failed"]),
  endReason: EndReason.nullable(),
  tokens: z.number(),
  at: IsoTime,
  finishedAt: IsoTime.nullable(),
});
export type Turn = z.infer<typeof Turn>;

export const Conversation = z.object({
  id: z.string(),
  title: z.string(),
  endpoint: z.object({ id: z.string(), name: z.string() }),
  model: z.string(),
  persona: z.object({ id: z.string(), name: z.string().nullable() }),
  sessionId: z.string().describe("The agent session that holds the trace."),
  skills: z.array(
    ChosenSkill.extend({
      name: z.string().nullable(),
      isPending: z.boolean().describe("Does not serve: its playbook only."),
    }),
  ),
  limits: PlaygroundLimits,
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type Conversation = z.infer<typeof Conversation>;

export const ConversationDetail = Conversation.extend({ turns: z.array(Turn) });
export type ConversationDetail = z.infer<typeof ConversationDetail>;

export const ListConversationsQuery = PageQuery;
