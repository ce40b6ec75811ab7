import type { JsonObject, Requirements } from "@/lib/skill-format/schema";
import { HARMLESS_ENV, isNamedEnv } from "../worker-allowance";
import type { RequirementState, WorkerOffers } from "./schema";

/** An online worker. `os` is Node’s platform name, such as `linux`. */
export type OnlineWorker = { name: string; os: string; offers: WorkerOffers };

const OS_NAMES: Record<string, string> = {
  macos: "darwin",
  mac: "darwin",
  osx: "darwin",
  windows: "win32",
  win: "win32",
};

/**
 * Each requirement with whether it is met. One online worker has to meet all worker requirements; the result is that of the
 * worker that meets most. Without an online worker none is met. A setting counts as set when it is true, a number, or a
 * non-empty text, list or mapping.
 */
export function judgeRuntime(
  requirements: Requirements,
  workers: readonly OnlineWorker[],
  config: JsonObject,
): RequirementState[] {
  const judged = workers.map((worker) => judgeOn(requirements, worker));
  const best = judged.reduce<RequirementState[] | null>(
    (chosen, states) => (chosen === null || unmet(states) < unmet(chosen) ? states : chosen),
    null,
  );
  return [...(best ?? judgeOn(requirements, null)), ...requirements.config.map((path) => judgeSetting(path, config))];
}

function judgeOn(requirements: Requirements, worker: OnlineWorker | null): RequirementState[] {
  const { capabilities, os, bins, anyBins, env } = requirements;
  const offers: WorkerOffers = worker?.offers ?? { capabilities: [], bins: [], env: [] };
  const state = (kind: RequirementState["kind"], name: string, met: boolean, lacking: string): RequirementState => {
    const note = worker === null ? "no worker is online" : met ? `on ${worker.name}` : `${worker.name} ${lacking}`;
    return { kind, name, met: met && worker !== null, note };
  };
  const systems = os.map((name) => OS_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  return [
    ...capabilities.map((id) => state("capability", id, offers.capabilities.includes(id), "does not declare it")),
    ...(os.length === 0
      ? []
      : [state("os", os.join(" or "), systems.includes(worker?.os ?? ""), `runs ${worker?.os}`)]),
    ...bins.map((name) => state("bin", name, offers.bins.includes(name), "does not have it")),
    ...(anyBins.length === 0
      ? []
      : [
          state(
            "any-bin",
            anyBins.join(" or "),
            anyBins.some((name) => offers.bins.includes(name)),
            "has none of them",
          ),
        ]),
    ...env.map((name) => {
      const isSet = offers.env.includes(name);
      const isAllowed = isNamedEnv(name, offers.allows?.env ?? HARMLESS_ENV);
      const lacking = isSet ? "does not allow it: SKILLGATE_WORKER_ENV" : "does not have it set";
      return state("env", name, isSet && isAllowed, lacking);
    }),
  ];
}

function unmet(states: RequirementState[]): number {
  return states.filter(({ met }) => !met).length;
}

function judgeSetting(path: string, config: JsonObject): RequirementState {
  const met = isSet(valueAt(config, path));
  return { kind: "config", name: path, met, note: met ? "set by an admin" : "no admin has set it" };
}

function valueAt(config: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      Object.hasOwn(config, path) ? { [path]: config[path] } : config,
    );
}

function isMapping(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSet(value: unknown): boolean {
  if (typeof value === "string" || Array.isArray(value)) return value.length > 0;
  if (typeof value === "number") return true;
  return isMapping(value) ? Object.keys(value).length > 0 : value === true;
}

/** Online workers. Capabilities that an agent reports for its own host replace theirs, and the host is added. */
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
