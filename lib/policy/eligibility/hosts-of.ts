import type { OnlineWorker } from "./judge-runtime";

/**
 * The hosts that requirements are asked of: the workers that are online. An agent that says what its own host can do is
 * taken at its word: of capabilities its list counts in place of the workers', and its host stands beside them.
 */
export function hostsOf(workers: readonly OnlineWorker[], capabilities: readonly string[] | null): OnlineWorker[] {
  if (capabilities === null) return [...workers];
  const own: OnlineWorker = {
    name: "the agent’s own host",
    os: "",
    offers: { capabilities: [...capabilities], bins: [], env: [] },
  };
  return [
    own,
    ...workers.map((worker) => ({ ...worker, offers: { ...worker.offers, capabilities: [...capabilities] } })),
  ];
}
