import { afterAll, expect, test } from "vitest";
import { type ModelReply, startModelServer } from "@/lib/testing/model-server";
import { openBudget } from "./answer-context";
import { type AgentToolbox, runAgent } from "./run-agent";

let reply: () => ModelReply = () => ({ text: "hello" });
const server = await startModelServer(() => reply());
afterAll(server.close);

const limits = { steps: 10, tokens: 10_000, seconds: 60 };

function ask({
  budget = openBudget(limits),
  tools = [] as AgentToolbox[],
  signal = new AbortController().signal,
} = {}) {
  const model = {
    ...{ endpointId: "e", endpointName: "scripted", kind: "openai" as const, baseUrl: server.url },
    ...{ apiKey: null, model: "m" },
  };
  const messages = [{ role: "user" as const, content: "Please." }];
  const told = { onText: () => {}, onBadCall: () => {}, onUsage: () => {} };
  return runAgent({ model, system: "", messages, tools, budget, signal, ...told });
}

const tool = (call: AgentToolbox["call"]): AgentToolbox => {
  return { name: "look", description: "Looks.", inputSchema: { type: "object" }, call };
};
const callsForEver = () => ({ calls: [{ name: "look", args: {} }] });
const uncounted = (pieces: string[]) => {
  const delta = (content: string) => ({ choices: [{ index: 0, delta: { role: "assistant", content } }] });
  const chunks = [...pieces.map(delta), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }];
  return { raw: `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n` };
};

test("two agents of one answer share one limit", async () => {
  reply = callsForEver;
  const budget = openBudget({ ...limits, steps: 5 });
  const inner = { steps: 0 };
  const first = await ask({
    budget,
    tools: [
      tool(async () => {
        if (inner.steps === 0) inner.steps = (await ask({ budget, tools: [tool(async () => "seen")] })).steps;
        return "done";
      }),
    ],
  });
  expect(inner.steps).toBeGreaterThan(0);
  expect(first).toMatchObject({ reason: "steps", steps: budget.steps, tokens: budget.tokens });
  // The agent's own step had begun before the other agent used up the budget.
  expect(budget.steps).toBe(6);
});

test("uncounted tokens are estimated, and can end the answer", async () => {
  reply = () => uncounted(["a".repeat(400)]);
  const { reason, tokens } = await ask();
  expect(reason).toBe("done");
  expect(tokens).toBeGreaterThan(100);
});

test.each([
  ["in pieces", Array.from({ length: 500 }, () => "words ".repeat(50))],
  ["in one piece", ["words ".repeat(25_000)]],
])("an answer that runs on %s is cut at the limit of tokens", async (_, pieces) => {
  reply = () => uncounted(pieces);
  const outcome = await ask({ budget: openBudget({ ...limits, tokens: 200 }) });
  expect(outcome).toMatchObject({ reason: "tokens", problem: null });
  expect(outcome.tokens).toBeGreaterThan(200);
});

test("when it is stopped, it ends after the tools that it had called", async () => {
  reply = callsForEver;
  const stop = new AbortController();
  let hasEnded = false;
  const slow = tool(
    () =>
      new Promise((resolve) => {
        stop.signal.addEventListener("abort", () =>
          setImmediate(() => {
            hasEnded = true;
            resolve("cancelled");
          }),
        );
        setImmediate(() => stop.abort());
      }),
  );
  expect((await ask({ tools: [slow], signal: stop.signal })).reason).toBe("stopped");
  expect(hasEnded).toBe(true);
});
