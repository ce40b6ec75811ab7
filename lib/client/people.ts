import { queryOptions } from "@tanstack/react-query";
import { type ConnectedSignIn, ConnectedSignIns } from "@/lib/auth/providers/schema";
import {
  type ChangePasswordInput,
  InvitedUser,
  type InviteUserInput,
  type PatchUserInput,
  type SessionInfo,
  SessionPage,
  User,
  UserPage,
} from "@/lib/auth/schema";
import { api } from "./api";

export type Person = User;
export type { ConnectedSignIn, SessionInfo };

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: ({ signal }) => api("/api/admin/users?limit=100", { schema: UserPage, signal }),
  staleTime: 10_000,
});

export function invitePerson(input: InviteUserInput) {
  return api("/api/admin/users", { method: "POST", body: input, schema: InvitedUser });
}

/** A new invitation link; the earlier one stops working. */
export function renewInvite(id: string) {
  return api(`/api/admin/users/${id}/invite`, { method: "POST", schema: InvitedUser });
}

export function updatePerson({ id, patch }: { id: string; patch: PatchUserInput }): Promise<Person> {
  return api(`/api/admin/users/${id}`, { method: "PATCH", body: patch, schema: User });
}

/** The caller's own password; their other sessions end. */
export function changePassword(input: ChangePasswordInput): Promise<void> {
  return api("/api/me/password", { method: "POST", body: input });
}

/** The accounts elsewhere that the caller signs in with, and what they could connect. */
export const connectedSignInsQuery = queryOptions({
  queryKey: ["connected-sign-ins"],
  queryFn: ({ signal }) => api("/api/me/sign-ins", { schema: ConnectedSignIns, signal }),
  staleTime: 10_000,
});

export function disconnectSignIn(id: string): Promise<void> {
  return api(`/api/me/sign-ins/${id}`, { method: "DELETE" });
}

/** The caller's own sessions, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api("/api/sessions?limit=100", { schema: SessionPage, signal }),
  staleTime: 10_000,
});

export function endSession(id: string): Promise<void> {
  return api(`/api/sessions/${id}`, { method: "DELETE" });
}
