import { queryOptions } from "@tanstack/react-query";
import { Me } from "@/lib/auth/schema";
import { api } from "./api";

export type { Me };
export type Role = Me["user"]["role"];

/** The signed-in person and what the shell shows of the server's state. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => api("/api/me", { schema: Me, signal }),
  staleTime: 10_000,
  refetchInterval: 15_000,
  refetchOnWindowFocus: "always",
});
