import type { z } from "zod";
import type { ConnectedSignIns } from "@/lib/auth/providers/schema";
import type {
  ChangePasswordInput,
  InvitedUser,
  InviteUserInput,
  PatchUserInput,
  SessionPage,
  User,
  UserPage,
} from "@/lib/auth/schema";
import type { PatchPublisherInput, Publisher } from "@/lib/skills/community/schema";
import { answerOf, api, listOf, sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export type Person = User;
export const peopleQuery = answerQuery(["people"], "/api/admin/users?limit=100", listOf<z.infer<typeof UserPage>>(), {
  staleTime: 10_000,
});

export const invitePerson = (input: InviteUserInput) =>
  sendPost("/api/admin/users", answerOf<z.infer<typeof InvitedUser>>(), input);

/** Creates a new invitation link; the earlier one becomes invalid. */
export const renewInvite = (id: string) =>
  sendPost(`/api/admin/users/${id}/invite`, answerOf<z.infer<typeof InvitedUser>>());

export const updatePerson = ({ id, patch }: { id: string; patch: PatchUserInput }) =>
  sendPatch(`/api/admin/users/${id}`, answerOf<User>(), patch);

/** Changes the caller's password and ends their other sessions. */
export const changePassword = (input: ChangePasswordInput) =>
  api<void>("/api/me/password", { method: "POST", body: input });

export const connectedSignInsQuery = answerQuery(
  ["connected-sign-ins"],
  "/api/me/sign-ins",
  answerOf<ConnectedSignIns>(),
  {
    staleTime: 10_000,
  },
);

export const disconnectSignIn = (id: string) => sendDelete(`/api/me/sign-ins/${id}`);

export const sessionsQuery = answerQuery(
  ["sessions"],
  "/api/sessions?limit=100",
  listOf<z.infer<typeof SessionPage>>(),
  {
    staleTime: 10_000,
  },
);

export const endSession = (id: string) => sendDelete(`/api/sessions/${id}`);

export const publishersKey = ["publishers"] as const;

export const publisherQuery = (handle: string) =>
  answerQuery([...publishersKey, handle], publisherPath(handle), answerOf<Publisher>(), { staleTime: 10_000 });

export const patchPublisher = (handle: string, input: PatchPublisherInput) =>
  sendPatch(publisherPath(handle), answerOf<Publisher>(), input);

export const verifyPublisher = (handle: string, verified: boolean) =>
  api(`${publisherPath(handle)}/verification`, { method: verified ? "PUT" : "DELETE", shape: answerOf<Publisher>() });

function publisherPath(handle: string): string {
  return `/api/publishers/${encodeURIComponent(handle)}`;
}
