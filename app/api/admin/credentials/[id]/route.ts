import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { deleteCredential, updateCredential } from "@/lib/settings/credentials/credentials";
import { Credential, DeleteCredentialQuery, PatchCredentialInput } from "@/lib/settings/credentials/schema";

export const PATCH = route({
  access: "admin",
  summary: "Change the value or description of a credential",
  params: IdParams,
  body: PatchCredentialInput,
  answer: Credential,
  handle: ({ ctx, params, body }) => updateCredential(ctx, params.id, body),
});

export const DELETE = route({
  access: "admin",
  summary: "Delete a credential; 409 with the skills that use it, unless forced",
  params: IdParams,
  query: DeleteCredentialQuery,
  status: 204,
  handle: ({ ctx, params, query }) => deleteCredential(ctx, params.id, { force: query.force === "true" }),
});
