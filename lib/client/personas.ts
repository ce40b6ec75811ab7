import type { z } from "zod";
import type { CreatePersonaInput, PatchPersonaInput, Persona, PersonaPage } from "@/lib/auth/schema";
import type { SkillPage } from "@/lib/skills/schema";
import { answerOf, listOf, sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export type PermissionMode = Persona["permissionMode"];

export const personasQuery = answerQuery(
  ["personas"],
  "/api/admin/personas?limit=100",
  listOf<z.infer<typeof PersonaPage>>(),
  {
    staleTime: 10_000,
  },
);

/** Skills for the preview of a persona: the first hundred that the admin sees. */
export const personaSkillsQuery = answerQuery(
  ["skills", "for-personas"],
  "/api/skills?limit=100",
  listOf<z.infer<typeof SkillPage>>(),
  {
    staleTime: 30_000,
  },
);

export const addPersona = (input: CreatePersonaInput) => sendPost("/api/admin/personas", answerOf<Persona>(), input);

export const updatePersona = (id: string, patch: PatchPersonaInput) =>
  sendPatch(`/api/admin/personas/${id}`, answerOf<Persona>(), patch);

export const deletePersona = (id: string) => sendDelete(`/api/admin/personas/${id}`);
