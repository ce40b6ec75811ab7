/** Limits of requests that no setting changes, each for a minute: what is counted, and for whom. */
export const FIXED_LIMITS = {
  distribution: {
    perMinute: 3_000,
    of: "reads of indexes, archives and git repositories",
    by: "viewer: a person, a capability URL or an address",
  },
  oauthTokens: { perMinute: 60, of: "tokens that programs exchange (OAuth)", by: "address" },
  oauthClients: { perMinute: 20, of: "registrations of programs (OAuth)", by: "address" },
  deviceCodes: { perMinute: 20, of: "sign-ins of a device that begin", by: "address" },
  deviceTokens: { perMinute: 120, of: "questions of a device whether it is signed in", by: "address" },
  deviceTries: { perMinute: 20, of: "codes of devices that are typed", by: "person" },
  providerSignIns: { perMinute: 120, of: "sign-ins with a provider that begin or come back", by: "address" },
} as const satisfies Record<string, { perMinute: number; of: string; by: string }>;
