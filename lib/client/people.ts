import { ConnectedSignIns } from "@/lib/auth/providers/schema";
import {
  type ChangePasswordInput,
  InvitedUser,
  type InviteUserInput,
  type PatchUserInput,
  SessionPage,
  User,
  UserPage,
} from "@/lib/auth/schema";
import { api, sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export type Person = User;
export const peopleQuery = answerQuery(["people"], "/api/admin/users?limit=100", UserPage, { staleTime: 10_000 });

export const invitePerson = (input: InviteUserInput) => sendPost("/api/admin/users", InvitedUser, input);

/** A new invitation link; the earlier one stops working. */
export const renewInvite = (id: string) => sendPost(`/api/admin/users/${id}/invite`, InvitedUser);

export const updatePerson = ({ id, patch }: { id: string; patch: PatchUserInput }) =>
  sendPatch(`/api/admin/users/${id}`, User, patch);

/** The caller's own password; their other sessions end. */
export const changePassword = (input: ChangePasswordInput) =>
  api<void>("/api/me/password", { method: "POST", body: input });

/** The accounts elsewhere that the caller signs in with, and what they could connect. */
export const connectedSignInsQuery = answerQuery(["connected-sign-ins"], "/api/me/sign-ins", ConnectedSignIns, {
  staleTime: 10_000,
});

export const disconnectSignIn = (id: string) => sendDelete(`/api/me/sign-ins/${id}`);

/** The caller's own sessions, newest first. */
export const sessionsQuery = answerQuery(["sessions"], "/api/sessions?limit=100", SessionPage, { staleTime: 10_000 });

export const endSession = (id: string) => sendDelete(`/api/sessions/${id}`);
