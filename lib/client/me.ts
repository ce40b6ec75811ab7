import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "./api";

export const Role = z.enum(["user", "reviewer", "admin"]);
export type Role = z.infer<typeof Role>;

export const Me = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), role: Role }),
  counts: z.object({ reviews: z.number(), approvals: z.number() }),
  soloMode: z.boolean(),
  workersOnline: z.number(),
  isolation: z.enum(["none", "process", "sandbox"]),
  version: z.string(),
});
export type Me = z.infer<typeof Me>;

/** The signed-in person and what the shell shows of the server's state. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => api("/api/me", { schema: Me, signal }),
  staleTime: 10_000,
  refetchInterval: 15_000,
  refetchOnWindowFocus: "always",
});
