import type { Run } from "@/lib/client/runs";
import type { Skill } from "@/lib/skills/schema";

/**
 * What a caller would send to ask for the same run again: a skill of scope host takes the edge among its arguments, where a
 * run keeps it apart from them.
 */
export function callArgsOf(
  run: Pick<Run, "args" | "target">,
  skill: Pick<Skill, "callSchema" | "schema">,
): Run["args"] {
  if (!run.target || names(skill.schema, "edge_id") || !names(skill.callSchema, "edge_id")) return run.args;
  return { edge_id: run.target.name, ...run.args };
}

function names(schema: Record<string, unknown> | null, property: string): boolean {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, property);
}
