import {
  type CreateCredentialInput,
  Credential,
  CredentialList,
  CredentialNames,
  type PatchCredentialInput,
} from "@/lib/settings/credentials/schema";
import { sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export const credentialsQuery = answerQuery(["credentials"], "/api/admin/credentials", CredentialList, {
  staleTime: 10_000,
});

export const credentialNamesQuery = answerQuery(["credentials", "names"], "/api/credentials", CredentialNames, {
  staleTime: 10_000,
});

export const addCredential = (input: CreateCredentialInput) => sendPost("/api/admin/credentials", Credential, input);

export const changeCredential = (id: string, patch: PatchCredentialInput) =>
  sendPatch(`/api/admin/credentials/${id}`, Credential, patch);

export const deleteCredential = (id: string, options: { force: boolean }) =>
  sendDelete(`/api/admin/credentials/${id}${options.force ? "?force=true" : ""}`);
