import { queryOptions } from "@tanstack/react-query";
import { type Edge, EdgePage, RunGroup } from "@/lib/runner/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

export type { Edge };

/** The edges that can run a skill, online ones first. */
export function edgesQuery(skillId: string) {
  return queryOptions({
    queryKey: ["edges", skillId],
    queryFn: async ({ signal }) => {
      const page = await api(withQuery("/api/edges", { skill: skillId }), { schema: EdgePage, signal });
      return page.items.filter((edge) => edge.offers);
    },
    staleTime: 5_000,
    refetchInterval: 15_000,
  });
}

type StartGroup = { skillId: string; args: Record<string, unknown>; edges: readonly string[]; confirm: boolean };

/** The same run on several edges: all of them start, or none. */
export function startRunGroup({ skillId, args, edges, confirm }: StartGroup): Promise<RunGroup> {
  return api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, edges, ...(confirm ? { confirm: true } : {}) },
    schema: RunGroup,
  });
}
