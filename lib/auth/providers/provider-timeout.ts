/** How long a provider of sign-ins may be silent, for each of the calls of a sign-in. */
export const PROVIDER_TIMEOUT_MS = 5_000;
