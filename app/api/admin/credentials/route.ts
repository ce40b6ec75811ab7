import { route } from "@/lib/http/route";
import { createCredential, listCredentials } from "@/lib/settings/credentials/credentials";
import { CreateCredentialInput, Credential, CredentialList } from "@/lib/settings/credentials/schema";

export const GET = route({
  access: "admin",
  summary: "Stored credentials, without their values",
  answer: CredentialList,
  answersFrom: "rows",
  handle: ({ ctx }) => listCredentials(ctx),
});

export const POST = route({
  access: "admin",
  summary: "Store an encrypted credential; no answer contains its value",
  body: CreateCredentialInput,
  answer: Credential,
  status: 201,
  handle: ({ ctx, body }) => createCredential(ctx, body),
});
