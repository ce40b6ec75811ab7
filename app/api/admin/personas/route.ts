import { createPersona, listPersonas } from "@/lib/auth/personas";
import { CreatePersonaInput, Persona, PersonaPage } from "@/lib/auth/schema";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "All personas",
  query: PageQuery,
  answer: PersonaPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listPersonas(ctx, query),
});

export const POST = route({
  access: "admin",
  summary: "Add a persona for agent tokens",
  body: CreatePersonaInput,
  answer: Persona,
  status: 201,
  handle: ({ ctx, body }) => createPersona(ctx, body),
});
