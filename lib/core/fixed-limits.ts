/** Limits per minute that no setting changes: what is counted, and per whom. */
export const FIXED_LIMITS = {
  distribution: {
    perMinute: 3_000,
    of: "reads of indexes, archives and git repositories",
    by: "viewer: a person, a capability URL or an address",
  },
  oauthTokens: { perMinute: 60, of: "tokens that programs exchange (OAuth)", by: "address" },
  oauthClients: { perMinute: 20, of: "registrations of programs (OAuth)", by: "address" },
  deviceCodes: { perMinute: 20, of: "device sign-ins that are started", by: "address" },
  deviceTokens: { perMinute: 120, of: "polls of a device that waits for its sign-in", by: "address" },
  deviceTries: { perMinute: 20, of: "device codes that are entered", by: "person" },
  providerSignIns: { perMinute: 120, of: "provider sign-ins that are started or completed", by: "address" },
} as const satisfies Record<string, { perMinute: number; of: string; by: string }>;
