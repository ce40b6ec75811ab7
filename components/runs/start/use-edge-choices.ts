import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { edgesQuery } from "@/lib/client/runs";
import type { Edge } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";

type Schema = Record<string, unknown>;

/** The form schema; for skills of scope host, `edge_id` offers the edges as choices. */
export function useEdgeChoices(skill: Pick<Skill, "id" | "scope" | "callSchema">, schema: Schema): Schema {
  const { data: edges } = useQuery({ ...edgesQuery(skill.id), enabled: skill.scope === "host" });
  return useMemo(() => (skill.scope === "host" && edges ? withEdges(schema, edges) : schema), [skill, schema, edges]);
}

export function withEdges(schema: Schema, edges: readonly Edge[]): Schema {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const edge = properties.edge_id;
  if (edge === undefined) return schema;
  const choices = edges.map(({ name, ...rest }) => ({ const: name, title: describeEdge({ name, ...rest }) }));
  const chosen =
    choices.length === 0
      ? { ...edge, description: "No edge offers this skill." }
      : { ...edge, oneOf: choices, description: "The edge that runs the skill." };
  return { ...schema, properties: { ...properties, edge_id: chosen } };
}

export function describeEdge({ name, online, lastSeenAt, platform }: Omit<Edge, "id" | "offers">): string {
  if (lastSeenAt === null) return `${name} (never connected)`;
  const where = platform === null ? "" : `, ${platform}`;
  return `${name} (${online ? "online" : "offline, the run waits"}${where})`;
}
