import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import type { SignInRefusal } from "@/lib/policy/decide-sign-in";

export const ProviderId = z.enum(["oidc", "google", "github"]);
export type ProviderId = z.infer<typeof ProviderId>;

export const ProviderChoice = z.object({ id: ProviderId, name: z.string() });
export type ProviderChoice = z.infer<typeof ProviderChoice>;

export type SignInWays = { password: boolean; providers: ProviderChoice[] };

export const ConnectedSignIn = z.object({
  id: z.string(),
  provider: ProviderId,
  providerName: z.string(),
  label: z.string().describe("Name of the account at the provider."),
  createdAt: IsoTime,
  lastUsedAt: IsoTime,
});
export type ConnectedSignIn = z.infer<typeof ConnectedSignIn>;

export const ConnectedSignIns = z.object({
  items: z.array(ConnectedSignIn),
  providers: z.array(ProviderChoice).describe("Providers that can be connected."),
  hasPassword: z.boolean(),
});
export type ConnectedSignIns = z.infer<typeof ConnectedSignIns>;

/** Reason of a failed provider sign-in: the parameter `error` of the page that explains it. Stable. */
export type ProviderSignInCode =
  | SignInRefusal
  | "ProviderDenied"
  | "ProviderUnavailable"
  | "ProviderAnswerRejected"
  | "SignInExpired"
  | "SessionRequired"
  | "AlreadyConnected"
  | "Throttled"
  | "Unavailable";
