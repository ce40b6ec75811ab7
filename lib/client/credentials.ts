import { queryOptions } from "@tanstack/react-query";
import {
  type CreateCredentialInput,
  Credential,
  CredentialList,
  CredentialNames,
  type PatchCredentialInput,
} from "@/lib/settings/credentials/schema";
import { api } from "./api";

export type { Credential };

/** For admins: every credential, without a value. */
export const credentialsQuery = queryOptions({
  queryKey: ["credentials"],
  queryFn: ({ signal }) => api("/api/admin/credentials", { schema: CredentialList, signal }),
  staleTime: 10_000,
});

/** For those who review: what there is to choose from. */
export const credentialNamesQuery = queryOptions({
  queryKey: ["credentials", "names"],
  queryFn: ({ signal }) => api("/api/credentials", { schema: CredentialNames, signal }),
  staleTime: 10_000,
});

export function addCredential(input: CreateCredentialInput): Promise<Credential> {
  return api("/api/admin/credentials", { method: "POST", body: input, schema: Credential });
}

export function changeCredential(id: string, patch: PatchCredentialInput): Promise<Credential> {
  return api(`/api/admin/credentials/${id}`, { method: "PATCH", body: patch, schema: Credential });
}

export function deleteCredential(id: string, options: { force: boolean }): Promise<void> {
  return api(`/api/admin/credentials/${id}${options.force ? "?force=true" : ""}`, { method: "DELETE" });
}
