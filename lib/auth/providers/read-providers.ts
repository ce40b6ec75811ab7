import type { Env } from "@/lib/core/env";
import type { ProviderId } from "./schema";

/** Timeout of each call to a sign-in provider. */
export const PROVIDER_TIMEOUT_MS = 5_000;

export type Provider = {
  id: ProviderId;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** The configured providers in the order of their buttons, the organisation's own first. */
export function readProviders(env: Env): Provider[] {
  const all = [
    {
      id: "oidc" as const,
      name: env.OIDC_NAME,
      issuer: env.OIDC_ISSUER,
      clientId: env.OIDC_CLIENT_ID,
      clientSecret: env.OIDC_CLIENT_SECRET,
    },
    {
      id: "google" as const,
      name: "Google",
      issuer: env.GOOGLE_ISSUER,
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
    },
    {
      id: "github" as const,
      name: "GitHub",
      issuer: env.GITHUB_URL,
      clientId: env.GITHUB_CLIENT_ID,
      clientSecret: env.GITHUB_CLIENT_SECRET,
    },
  ];
  return all.flatMap(({ issuer, clientId, clientSecret, ...provider }) =>
    issuer === undefined || clientId === undefined || clientSecret === undefined
      ? []
      : [{ ...provider, issuer: issuer.replace(/\/+$/, ""), clientId, clientSecret }],
  );
}
