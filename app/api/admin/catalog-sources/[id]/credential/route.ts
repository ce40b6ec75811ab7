import { CredentialInput, CredentialStatus, SourceParams } from "@/lib/catalog/sources/schema";
import { clearCredential, getCredentialStatus, setCredential } from "@/lib/catalog/sources/source-credential";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "Whether a catalog source has a credential, without the credential",
  params: SourceParams,
  answer: CredentialStatus,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getCredentialStatus(ctx, params.id),
});

export const PUT = route({
  access: "admin",
  summary: "Store the credential of a catalog source: a token, or a private key of ssh",
  params: SourceParams,
  body: CredentialInput,
  answer: CredentialStatus,
  handle: ({ ctx, params, body }) => setCredential(ctx, params.id, body),
});

export const DELETE = route({
  access: "admin",
  summary: "Delete the credential of a catalog source",
  params: SourceParams,
  status: 204,
  handle: ({ ctx, params }) => clearCredential(ctx, params.id),
});
