import { queryOptions } from "@tanstack/react-query";
import { type CreatePersonaInput, type PatchPersonaInput, Persona, PersonaPage } from "@/lib/auth/schema";
import { SkillPage } from "@/lib/skills/schema";
import { api } from "./api";

export type { Persona };
export type PermissionMode = Persona["permissionMode"];

export const personasQuery = queryOptions({
  queryKey: ["personas"],
  queryFn: ({ signal }) => api("/api/admin/personas?limit=100", { schema: PersonaPage, signal }),
  staleTime: 10_000,
});

/** The skills a persona's lists are tried on: the first hundred the admin sees. */
export const personaSkillsQuery = queryOptions({
  queryKey: ["skills", "for-personas"],
  queryFn: ({ signal }) => api("/api/skills?limit=100", { schema: SkillPage, signal }),
  staleTime: 30_000,
});

export function addPersona(input: CreatePersonaInput): Promise<Persona> {
  return api("/api/admin/personas", { method: "POST", body: input, schema: Persona });
}

export function updatePersona(id: string, patch: PatchPersonaInput): Promise<Persona> {
  return api(`/api/admin/personas/${id}`, { method: "PATCH", body: patch, schema: Persona });
}

export function deletePersona(id: string): Promise<void> {
  return api(`/api/admin/personas/${id}`, { method: "DELETE" });
}
