import { getEnv, givenUrls } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import { parseRanges } from "./address-ranges";
import { createAgents, type OutgoingAgents } from "./connect-outgoing";
import { createFetch } from "./create-fetch";
import { type Destination, destinationOf, type OutgoingPolicy, refusalIn, resolveAllowed } from "./outgoing-policy";

/** What of the server connects to other hosts, each with the variables in which an operator names its endpoints. */
const FEATURES = {
  model: { subject: "A model endpoint", variables: [] },
  webhook: { subject: "The audit webhook", variables: [] },
  syslog: { subject: "The audit’s syslog", variables: [] },
  signIn: {
    subject: "Sign-in with a provider",
    variables: ["OIDC_ISSUER", "GOOGLE_ISSUER", "GITHUB_URL", "GITHUB_API_URL"],
  },
  catalog: { subject: "The catalog", variables: ["GITHUB_API_URL", "GITHUB_RAW_URL"] },
} as const;

export type OutgoingFeature = keyof typeof FEATURES;

/** The policy of a feature by the environment as it is now: public addresses, SKILLGATE_OUTGOING_RANGES, and its endpoints. */
export function outgoingPolicy(feature: OutgoingFeature): OutgoingPolicy {
  const { subject, variables } = FEATURES[feature];
  const endpoints = givenUrls(variables).map((url) => destinationOf(url));
  const ranges = parseRanges(getEnv().SKILLGATE_OUTGOING_RANGES);
  return { feature: subject, ranges, variable: "SKILLGATE_OUTGOING_RANGES", endpoints, denied: [] };
}

/** Agents for a library that sends requests by `node:http` itself. They keep no connection. */
export function outgoingAgents(feature: OutgoingFeature): OutgoingAgents {
  return createAgents(() => outgoingPolicy(feature));
}

/** `fetch` for a feature; see `createFetch` for where it differs. */
export function outgoingFetch(feature: OutgoingFeature): typeof fetch {
  return (input, init) => fetchOf(feature)(input, init);
}

/** Only the catalog asks one host often enough for kept connections to matter, and tries again when one was just closed. */
function fetchOf(feature: OutgoingFeature): typeof fetch {
  const policy = outgoingPolicy(feature);
  const key = JSON.stringify([feature, policy.ranges.texts, policy.endpoints]);
  return processStore(`outgoing-fetch.${key}`, () =>
    createFetch(createAgents(() => policy, { keepAlive: feature === "catalog", maxFreeSockets: 16 })),
  );
}

/**
 * Checks a destination that somebody is about to store: throws `address_not_allowed` when a feature could not connect to it
 * now. A name that cannot be resolved passes; each connection is judged again.
 */
export async function assertAllowed(feature: OutgoingFeature, wanted: Destination): Promise<void> {
  try {
    await resolveAllowed(outgoingPolicy(feature), wanted);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal !== null) throw refusal;
  }
}
