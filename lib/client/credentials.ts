import type {
  CreateCredentialInput,
  Credential,
  CredentialList,
  CredentialNames,
  PatchCredentialInput,
} from "@/lib/settings/credentials/schema";
import { answerOf, listOf, sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export const credentialsQuery = answerQuery(["credentials"], "/api/admin/credentials", listOf<CredentialList>(), {
  staleTime: 10_000,
});

export const credentialNamesQuery = answerQuery(
  ["credentials", "names"],
  "/api/credentials",
  answerOf<CredentialNames>(),
  {
    staleTime: 10_000,
  },
);

export const addCredential = (input: CreateCredentialInput) =>
  sendPost("/api/admin/credentials", answerOf<Credential>(), input);

export const changeCredential = (id: string, patch: PatchCredentialInput) =>
  sendPatch(`/api/admin/credentials/${id}`, answerOf<Credential>(), patch);

export const deleteCredential = (id: string, options: { force: boolean }) =>
  sendDelete(`/api/admin/credentials/${id}${options.force ? "?force=true" : ""}`);
