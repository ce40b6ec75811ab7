import { deletePersona, getPersona, updatePersona } from "@/lib/auth/personas";
import { IdParams, PatchPersonaInput, Persona } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "One persona",
  params: IdParams,
  answer: Persona,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getPersona(ctx, params.id),
});

export const PATCH = route({
  access: "admin",
  summary: "Change a persona",
  params: IdParams,
  body: PatchPersonaInput,
  answer: Persona,
  ifMatch: ({ ctx, params }) => getPersona(ctx, params.id),
  handle: ({ ctx, params, body }) => updatePersona(ctx, { id: params.id, patch: body }),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove a persona that no token uses",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deletePersona(ctx, params.id),
});
