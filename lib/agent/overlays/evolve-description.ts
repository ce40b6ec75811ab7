import type { AxMetricFn, ai } from "@ax-llm/ax";
import { AppError } from "@/lib/core/errors";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import { MAX_DESCRIPTION, type OverlayEvidence } from "./schema";

/** A model that answers at an address an admin has set. */
export type OptimizerModel = {
  kind: "openai" | "anthropic";
  baseUrl: string;
  apiKey: string | null;
  model: string;
};

type Question = {
  description: string;
  /** Requests for which the skill was right, and ones for which another was. */
  wanted: string[];
  unwanted: string[];
};
type Answer = { description: string; score: NonNullable<OverlayEvidence["score"]> };
type Counter = { calls: number; refusal: AppError | null };
type Example = { userRequest: string; shouldUse: "yes" | "no" };

const ROUNDS = 8;
const MAX_JUDGED = 160;
const MINIBATCH = 4;
const LEAST_REQUESTS = 4;
const MOST_REQUESTS = 16;

/**
 * Better words for a skill by GEPA (Agrawal and others, "GEPA: Reflective Prompt Evolution", 2025): a model decides by the
 * description alone which requests the skill is for; where it is wrong, it reflects and rewrites; what does best on requests
 * kept apart wins. At most 160 judged requests. `conflict` with fewer than four requests of either kind, `unavailable` when
 * the model does not answer, `address_not_allowed` when the server may not connect to it.
 */
export async function evolveDescription(
  model: OptimizerModel,
  { description, ...requests }: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const [train, keptApart] = splitExamples(requests);
  const counter: Counter = { calls: 0, refusal: null };
  // Large, and needed here only.
  const { AxGEPA, ai, ax } = await import("@ax-llm/ax");
  const llm = openModel(ai, model, counter, signal);
  const judge = ax('userRequest:string -> shouldUse:class "yes, no" "whether the described skill is for the request"');
  judge.setInstruction(description);
  try {
    let right = 0;
    for (const example of keptApart) {
      const { shouldUse } = await judge.forward(llm, { userRequest: example.userRequest });
      if (shouldUse === example.shouldUse) right++;
    }
    const optimizer = new AxGEPA({
      studentAI: llm,
      teacherAI: llm,
      numTrials: ROUNDS,
      minibatch: true,
      minibatchSize: MINIBATCH,
      earlyStoppingTrials: ROUNDS / 2,
      sampleCount: 1,
      seed: 1,
      verbose: false,
    });
    const metric: AxMetricFn = ({ prediction, example }) =>
      Object(prediction).shouldUse === Object(example).shouldUse ? 1 : 0;
    const result = await optimizer.compile(judge, train, metric, {
      validationExamples: keptApart,
      maxMetricCalls: MAX_JUDGED,
    });
    const before = right / keptApart.length;
    const best = result.optimizedProgram?.componentMap?.["root::instruction"]?.trim();
    const isBetter = best !== undefined && best !== "" && best.length <= MAX_DESCRIPTION && result.bestScore > before;
    return {
      description: isBetter ? best : description,
      score: { before, after: isBetter ? result.bestScore : before, calls: counter.calls, model: model.model },
    };
  } catch (cause) {
    if (counter.refusal !== null) throw counter.refusal;
    if (signal.aborted) throw new AppError("unavailable", "The work took longer than its ten minutes.", { cause });
    const said = cause instanceof Error ? cause.message.split("\n", 1)[0]?.slice(0, 300) : "it said nothing";
    throw new AppError("unavailable", `The model “${model.model}” did not answer as it should: ${said}`, { cause });
  }
}

function openModel(open: typeof ai, model: OptimizerModel, counter: Counter, signal: AbortSignal) {
  const counted: typeof fetch = async (input, init) => {
    counter.calls++;
    const either = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
    try {
      return await outgoingFetch("model")(input, { ...init, signal: either });
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null) throw error;
      // The library would try again; this status it takes for final.
      counter.refusal = refusal;
      return Response.json({ error: refusal.message }, { status: 421 });
    }
  };
  const options = { fetch: counted, retry: { maxRetries: 1 } };
  const apiKey = model.apiKey ?? "none";
  if (model.kind === "anthropic") {
    return open({ name: "anthropic", apiKey, apiURL: model.baseUrl, config: { model: model.model as never }, options });
  }
  return open({ name: "openai", apiKey, apiURL: model.baseUrl, config: { model: model.model as never }, options });
}

/** Half to learn from and half kept apart, with both kinds in either. */
function splitExamples({ wanted, unwanted }: Omit<Question, "description">): [Example[], Example[]] {
  if (Math.min(wanted.length, unwanted.length) < LEAST_REQUESTS) {
    const message = `GEPA needs at least ${LEAST_REQUESTS} different requests that this skill served and ${LEAST_REQUESTS} that other skills did; there are ${wanted.length} and ${unwanted.length}.`;
    throw new AppError("conflict", message, { rule: "too-few-requests" });
  }
  const yes = wanted.slice(0, MOST_REQUESTS).map((userRequest): Example => ({ userRequest, shouldUse: "yes" }));
  const no = unwanted.slice(0, MOST_REQUESTS).map((userRequest): Example => ({ userRequest, shouldUse: "no" }));
  const even = (_: Example, index: number) => index % 2 === 0;
  const odd = (_: Example, index: number) => index % 2 === 1;
  return [
    [...yes.filter(even), ...no.filter(even)],
    [...yes.filter(odd), ...no.filter(odd)],
  ];
}
