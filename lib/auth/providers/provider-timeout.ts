/** Timeout of each call to a sign-in provider. */
export const PROVIDER_TIMEOUT_MS = 5_000;
