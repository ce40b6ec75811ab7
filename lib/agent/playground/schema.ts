import { z } from "zod";
import { IsoTime, lineOfText, PageQuery } from "@/lib/core/schema";

/** Limits of one answer. The first one reached ends it and is reported. */
export const PlaygroundLimits = z.object({
  steps: z.number().int().min(1).max(50).default(20).describe("Calls of the model."),
  tokens: z.number().int().min(100).max(1_000_000).default(100_000).describe("Input and output, as the model counts."),
  seconds: z.number().int().min(5).max(900).default(300),
});
export type PlaygroundLimits = z.infer<typeof PlaygroundLimits>;

export const ChosenSkill = z.object({
  skillId: z.string().max(60),
  versionDigest: z.string().max(64).nullable().default(null).describe("Null: the active version."),
});
export type ChosenSkill = z.infer<typeof ChosenSkill>;

export const CreateConversationInput = z.strictObject({
  endpointId: z.string().max(60).optional().describe("Default: the first endpoint by name."),
  model: lineOfText(200).optional().describe("Default: the endpoint's default model."),
  personaId: z.string().max(60).optional().describe("Persona of the agent; default: “playground”."),
  skills: z.array(ChosenSkill).max(50).default([]).describe("Empty: all skills that the persona is offered."),
  limits: PlaygroundLimits.default({ steps: 20, tokens: 100_000, seconds: 300 }),
});
export type CreateConversationInput = z.infer<typeof CreateConversationInput>;

export const SendMessageInput = z.strictObject({ text: z.string().trim().min(1).max(32_000) });
export type SendMessageInput = z.infer<typeof SendMessageInput>;

export const EndReason = z.enum(["done", "steps", "tokens", "time", "stopped", "error"]);
export type EndReason = z.infer<typeof EndReason>;

const Outcome = z.enum(["ok", "refused", "failed", "parked"]);
/** `fork`: the sub-agent of the event; null for the main agent. */
const within = { fork: z.string().nullable() };

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
    tools: z.array(z.string()).nullable().describe("The tools that the active skill allows; null: no limit."),
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
  sessionId: z.string().describe("The agent session with the trace."),
  skills: z.array(
    ChosenSkill.extend({
      name: z.string().nullable(),
      isPending: z.boolean().describe("Not active: its playbook only."),
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
