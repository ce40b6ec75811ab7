import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { Diagnostic } from "@/lib/skill-format/schema";
import { EndReason, PlaygroundLimits } from "../playground/schema";

/** A check of an answer. `judged`: the model judges whether the statement is true of the answer. */
export const EvalCheck = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("contains"), value: z.string() }),
  z.object({ kind: z.literal("not_contains"), value: z.string() }),
  z.object({ kind: z.literal("regex"), value: z.string().describe("RE2, of at most 1,000 characters.") }),
  z.object({ kind: z.literal("json_equals"), value: z.unknown() }),
  z.object({ kind: z.literal("tool_called"), value: z.string() }),
  z.object({ kind: z.literal("skill_used"), value: z.string().nullable().describe("Null: the evaluated skill.") }),
  z.object({ kind: z.literal("max_steps"), value: z.number() }),
  z.object({ kind: z.literal("judged"), value: z.string() }),
]);
export type EvalCheck = z.infer<typeof EvalCheck>;

export const EvalCase = z.object({
  id: z.string(),
  path: z.string().describe("The file that contains the case."),
  prompt: z.string(),
  expected: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), text: z.string() })).describe("Given to the model with the prompt."),
  checks: z.array(EvalCheck),
});
export type EvalCase = z.infer<typeof EvalCase>;

export const VersionEvals = z.object({
  versionDigest: z.string(),
  versionNumber: z.number().int(),
  cases: z.array(EvalCase.omit({ files: true }).extend({ files: z.array(z.string()) })),
  diagnostics: z.array(Diagnostic),
});
export type VersionEvals = z.infer<typeof VersionEvals>;

/** Limits per answer; lower than a conversation’s, since each case has two answers. */
const EvalLimits = PlaygroundLimits.extend({ seconds: z.number().int().min(5).max(300).default(120) });

export const StartEvaluationInput = z.strictObject({
  versionDigest: z.string().max(64).nullable().default(null).describe("Null: the active version."),
  endpointId: z.string().max(60).optional().describe("Default: the first endpoint by name."),
  model: lineOfText(200).optional().describe("Default: the endpoint’s default model."),
  limits: EvalLimits.default({ steps: 10, tokens: 50_000, seconds: 120 }),
});
export type StartEvaluationInput = z.infer<typeof StartEvaluationInput>;

/** Figures over all answers with or without the skill. Tokens and steps are sums; the duration is a median. */
const Figures = z.object({
  answers: z.number().int(),
  passed: z.number().int(),
  tokens: z.number().int(),
  steps: z.number().int(),
  medianMs: z.number().nullable(),
});
export type EvalFigures = z.infer<typeof Figures>;

export const EvaluationState = z.enum(["running", "done", "cancelled", "failed"]);

export const Evaluation = z.object({
  id: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }),
  versionDigest: z.string(),
  versionNumber: z.number().int(),
  endpointName: z.string(),
  model: z.string(),
  limits: PlaygroundLimits,
  state: EvaluationState,
  error: z.string().nullable(),
  cases: z.number().int(),
  withSkill: Figures,
  withoutSkill: Figures,
  createdBy: z.string(),
  createdAt: IsoTime,
  finishedAt: IsoTime.nullable(),
  mayCancel: z.boolean(),
});
export type Evaluation = z.infer<typeof Evaluation>;
export const EvaluationPage = pageOf(Evaluation);
export const ListEvaluationsQuery = PageQuery;

export const CheckOutcome = z.object({ what: z.string(), passed: z.boolean(), why: z.string() });
export type CheckOutcome = z.infer<typeof CheckOutcome>;

export const EvalAnswer = z.object({
  answer: z.string(),
  passed: z.boolean(),
  checks: z.array(CheckOutcome),
  reason: EndReason,
  problem: z.string().nullable(),
  steps: z.number().int(),
  tokens: z.number().int(),
  durationMs: z.number().int(),
  sessionId: z.string().nullable(),
});
export type EvalAnswer = z.infer<typeof EvalAnswer>;

export const EvaluationDetail = Evaluation.extend({
  results: z.array(
    z.object({
      caseId: z.string(),
      prompt: z.string(),
      expected: z.string().nullable(),
      withSkill: EvalAnswer.nullable().describe("Null: not answered yet."),
      withoutSkill: EvalAnswer.nullable(),
    }),
  ),
});
export type EvaluationDetail = z.infer<typeof EvaluationDetail>;
