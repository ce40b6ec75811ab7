import { queryOptions } from "@tanstack/react-query";
import { System } from "@/lib/http/schema";
import { api } from "./api";

export type { System };

/** The state of the instance, as the process sees it that answers. */
export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => api("/api/admin/system", { schema: System, signal }),
  staleTime: 5_000,
  refetchInterval: 10_000,
});
