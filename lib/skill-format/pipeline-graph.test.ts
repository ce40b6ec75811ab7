import { expect, test } from "vitest";
import { capabilityUnion, checkGraph, type GraphNode } from "./pipeline-graph";

function graphOf(
  uses: Record<string, string[]>,
  capabilities: Record<string, string[]> = {},
  tools: Record<string, string[]> = {},
) {
  return new Map(
    Object.entries(uses).map(([name, used]): [string, GraphNode] => [
      name,
      { name, uses: used, tools: tools[name] ?? [], capabilities: capabilities[name] ?? [] },
    ]),
  );
}
const deep = { maxDepth: 5 };

test("a cycle of two or three is an error that names the whole path", () => {
  expect(checkGraph(graphOf({ a: ["b"], b: ["a"] }), "a", deep)).toMatchObject({
    code: "pipeline_cycle",
    path: ["a", "b", "a"],
    message: "The skill would run itself: a -> b -> a.",
  });
  const three = graphOf({ a: ["x", "b"], b: ["c"], c: ["a"], x: [] });
  expect(checkGraph(three, "a", deep)?.path).toEqual(["a", "b", "c", "a"]);
  expect(checkGraph(graphOf({ a: ["a"] }), "a", deep)?.path).toEqual(["a", "a"]);
});

test("skills beside a cycle, or used by it, are not affected", () => {
  const graph = graphOf({ a: ["b", "helper"], b: ["a"], helper: ["leaf"], leaf: [], beside: ["leaf"] });
  for (const innocent of ["helper", "leaf", "beside"]) expect(checkGraph(graph, innocent, deep)).toBeNull();
  expect(checkGraph(graphOf({ d: ["a"], a: ["b"], b: ["a"] }), "d", deep)?.path).toEqual(["a", "b", "a"]);
});

test("using a skill twice is not a cycle", () => {
  expect(checkGraph(graphOf({ a: ["b", "c", "b"], b: ["d"], c: ["d"], d: [] }), "a", deep)).toBeNull();
});

test("depth counts skills: five in a chain are allowed, six are not, and the path names all", () => {
  const chain = graphOf({ a: ["b"], b: ["c"], c: ["d"], d: ["e"], e: ["f"], f: [] });
  expect(checkGraph(chain, "b", deep)).toBeNull();
  expect(checkGraph(chain, "a", deep)).toMatchObject({
    code: "pipeline_depth",
    message: "a -> b -> c -> d -> e -> f is 6 skills deep. At most 5 are allowed.",
  });
});

test("a tool that a step calls does not count, unless it calls others itself", () => {
  const chain = { a: ["b"], b: ["c"], c: ["d"], d: ["e"], e: ["leaf"], leaf: [] as string[] };
  expect(checkGraph(graphOf(chain, {}, { e: ["leaf"] }), "a", deep)).toBeNull();
  expect(checkGraph(graphOf(chain), "a", deep)?.path).toHaveLength(6);
  const nested = { ...chain, leaf: ["tool"], tool: [] };
  expect(checkGraph(graphOf(nested, {}, { e: ["leaf"], leaf: ["tool"] }), "a", deep)?.path.join("")).toBe("abcdeleaf");
});

test("callers that are already running count for depth and cycles", () => {
  const graph = graphOf({ p: ["q"], q: ["r"], r: [] });
  expect(checkGraph(graph, "q", { maxDepth: 2, above: ["p"] })?.path).toEqual(["p", "q", "r"]);
  expect(checkGraph(graph, "q", { maxDepth: 9, above: ["r"] })?.path).toEqual(["r", "q", "r"]);
});

test("a graph with many paths to every skill visits each skill once", () => {
  const layers = Object.fromEntries(
    Array.from({ length: 40 }, (_, layer) => [`n${layer}`, layer === 39 ? [] : [`n${layer + 1}`, `n${layer + 1}`]]),
  );
  expect(checkGraph(graphOf(layers), "n0", { maxDepth: 40 })).toBeNull();
});

test("capabilities of all used skills are united, each once; unknown skills have none", () => {
  const graph = graphOf({ a: ["b", "gone"], b: ["c"], c: [] }, { a: ["net"], b: ["net", "files"], c: ["shell"] });
  expect(capabilityUnion(graph, "a")).toEqual(["net", "files", "shell"]);
  expect(capabilityUnion(graph, "gone")).toEqual([]);
});
