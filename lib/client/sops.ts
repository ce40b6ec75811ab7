import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type CreateSopInput, type CreateSopKeyInput, Sop, SopKey, SopKeyPage, SopPage } from "@/lib/runner/schema";
import { api } from "./api";

export type { Sop, SopKey };

/** The registered procedures, newest first; everybody may read them. */
export const sopsQuery = queryOptions({
  queryKey: ["sops"],
  queryFn: ({ signal }) => api("/api/sops?limit=100", { schema: SopPage, signal }),
  staleTime: 10_000,
});

export const sopKeysQuery = queryOptions({
  queryKey: ["sop-keys"],
  queryFn: ({ signal }) => api("/api/admin/sop-keys?limit=100", { schema: SopKeyPage, signal }),
  staleTime: 10_000,
});

export function addSop(input: z.input<typeof CreateSopInput>): Promise<Sop> {
  return api("/api/admin/sops", { method: "POST", body: input, schema: Sop });
}

export function withdrawSop(id: string): Promise<void> {
  return api(`/api/admin/sops/${id}`, { method: "DELETE" });
}

export function addSopKey(input: CreateSopKeyInput): Promise<SopKey> {
  return api("/api/admin/sop-keys", { method: "POST", body: input, schema: SopKey });
}

export function withdrawSopKey(id: string): Promise<void> {
  return api(`/api/admin/sop-keys/${id}`, { method: "DELETE" });
}
