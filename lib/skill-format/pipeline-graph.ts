/** A skill of the graph: `uses` are the ids of the skills it uses, `tools` those that its steps call only as tools. */
export type GraphNode = {
  name: string;
  uses: readonly string[];
  tools: readonly string[];
  capabilities: readonly string[];
};
export type SkillGraph = ReadonlyMap<string, GraphNode>;

export type GraphProblem = { code: "pipeline_cycle" | "pipeline_depth"; path: string[]; message: string };

/**
 * Why a skill cannot run because of the skills it uses: a cycle, or a chain of more than `maxDepth` skills. A tool
 * counts only when it uses others itself (OpenJarvis). `above` are the callers already running; the path starts with
 * them. Null if it can run.
 */
export function checkGraph(
  graph: SkillGraph,
  start: string,
  { maxDepth, above = [] }: { maxDepth: number; above?: readonly string[] },
): GraphProblem | null {
  const names = (ids: readonly string[]) => ids.map((id) => graph.get(id)?.name ?? id);
  const cycle = findCycle(graph, start, [...above]);
  if (cycle !== null) {
    const path = names(cycle);
    return { code: "pipeline_cycle", path, message: `The skill would run itself: ${path.join(" -> ")}.` };
  }
  const chain = [...above, ...longestChain(graph, start, new Map())];
  if (chain.length <= maxDepth) return null;
  const path = names(chain);
  const message = `${path.join(" -> ")} is ${path.length} skills deep. At most ${maxDepth} are allowed.`;
  return { code: "pipeline_depth", path, message };
}

/** The capabilities of a skill and of all skills it reaches, each once. */
export function capabilityUnion(graph: SkillGraph, start: string): string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const waiting = [start];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = graph.get(id);
    for (const name of node?.capabilities ?? []) found.add(name);
    waiting.push(...(node?.uses ?? []));
  }
  return [...found];
}

function findCycle(graph: SkillGraph, start: string, trail: string[]): string[] | null {
  const done = new Set<string>();
  const visit = (id: string, chain: readonly string[]): string[] | null => {
    const at = chain.indexOf(id);
    if (at !== -1) return [...chain.slice(at), id];
    if (done.has(id)) return null;
    for (const used of graph.get(id)?.uses ?? []) {
      const cycle = visit(used, [...chain, id]);
      if (cycle !== null) return cycle;
    }
    done.add(id);
    return null;
  };
  return visit(start, trail);
}

function longestChain(graph: SkillGraph, id: string, known: Map<string, string[]>): string[] {
  const already = known.get(id);
  if (already !== undefined) return already;
  let longest: string[] = [];
  const { uses = [], tools = [] } = graph.get(id) ?? {};
  for (const used of uses) {
    if (tools.includes(used) && (graph.get(used)?.uses ?? []).length === 0) continue;
    const chain = longestChain(graph, used, known);
    if (chain.length > longest.length) longest = chain;
  }
  const chain = [id, ...longest];
  known.set(id, chain);
  return chain;
}
