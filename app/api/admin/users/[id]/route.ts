import { deleteUser, getUser, updateUser } from "@/lib/auth/people/users";
import { IdParams, PatchUserInput, User } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "One person",
  params: IdParams,
  answer: User,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getUser(ctx, params.id),
});

export const PATCH = route({
  access: "admin",
  summary: "Change a person’s name, role or state",
  params: IdParams,
  body: PatchUserInput,
  answer: User,
  ifMatch: ({ ctx, params }) => getUser(ctx, params.id),
  handle: ({ ctx, params, body }) => updateUser(ctx, { id: params.id, patch: body }),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove a person’s access permanently",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteUser(ctx, params.id),
});
