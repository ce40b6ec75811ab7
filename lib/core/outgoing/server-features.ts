import { getEnv, givenUrls } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import { parseRanges } from "./address-ranges";
import { createAgents, type OutgoingAgents } from "./connect-outgoing";
import { createFetch } from "./create-fetch";
import { type Destination, destinationOf, type OutgoingPolicy, refusalIn, resolveAllowed } from "./outgoing-policy";

const FEATURES = {
  model: { subject: "A model endpoint", variables: [] },
  webhook: { subject: "The audit webhook", variables: [] },
  syslog: { subject: "The audit log’s syslog", variables: [] },
  signIn: {
    subject: "Sign-in with a provider",
    variables: ["OIDC_ISSUER", "GOOGLE_ISSUER", "GITHUB_URL", "GITHUB_API_URL"],
  },
  catalog: {
    subject: "The catalog",
    variables: ["GITHUB_API_URL", "GITHUB_RAW_URL"],
    isTlsRequired: true,
  },
} as const;

type OutgoingFeature = keyof typeof FEATURES;

/** Current policy of a feature: public addresses, SKILLGATE_OUTGOING_RANGES, and its endpoints. */
export function outgoingPolicy(feature: OutgoingFeature): OutgoingPolicy {
  const { subject, variables, ...terms } = FEATURES[feature];
  const endpoints = givenUrls(variables).map((url) => destinationOf(url));
  const ranges = parseRanges(getEnv().SKILLGATE_OUTGOING_RANGES);
  return { feature: subject, ranges, variable: "SKILLGATE_OUTGOING_RANGES", endpoints, denied: [], ...terms };
}

/** Agents for libraries that use `node:http` directly. Without keep-alive. */
export function outgoingAgents(feature: OutgoingFeature): OutgoingAgents {
  return createAgents(() => outgoingPolicy(feature));
}

/** `fetch` for a feature; see `createFetch` for the differences. */
export function outgoingFetch(feature: OutgoingFeature): typeof fetch {
  return (input, init) => fetchOf(feature)(input, init);
}

/** Only the catalog sends enough requests to one host for keep-alive, and retries when a connection was just closed. */
function fetchOf(feature: OutgoingFeature): typeof fetch {
  const policy = outgoingPolicy(feature);
  const key = JSON.stringify([feature, policy.ranges.texts, policy.endpoints]);
  return processStore(`outgoing-fetch.${key}`, () =>
    createFetch(createAgents(() => policy, { keepAlive: feature === "catalog", maxFreeSockets: 16 })),
  );
}

/**
 * Checks a destination before it is stored: throws `address_not_allowed` when the feature could not connect to it now.
 * Unresolvable names pass; each connection is checked again.
 */
export async function assertAllowed(feature: OutgoingFeature, wanted: Destination): Promise<void> {
  try {
    await resolveAllowed(outgoingPolicy(feature), wanted);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal !== null) throw refusal;
  }
}
