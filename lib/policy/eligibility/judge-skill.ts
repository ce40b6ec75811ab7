import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import type { JsonObject, Requirements } from "@/lib/skill-format/schema";
import { HARMLESS_ENV, isNamedEnv } from "../worker-allowance";
import { findEntry, type SkillAddress } from "./find-entry";
import type { EligibilityPolicy, RequirementState, Stage, WorkerOffers } from "./schema";

/** An online worker. `os` is Node’s platform name, such as `linux`. */
export type OnlineWorker = { name: string; os: string; offers: WorkerOffers };

const OS_NAMES: Record<string, string> = {
  macos: "darwin",
  mac: "darwin",
  osx: "darwin",
  windows: "win32",
  win: "win32",
};

export type JudgedSkill = SkillAddress & {
  isEnabled: boolean;
  isListed: boolean;
  isApproved: boolean;
  /** The author's value. */
  always: boolean;
  requirements: Requirements;
};

export type Judgement = { stages: Stage[]; requirements: RequirementState[] };

/**
 * Whether agents can be offered a skill: it is switched on, its requirements can be read, and one online worker meets them.
 * Unknown facts count as not met. The author's `always` excuses missing runtime requirements and unknown capability ids (GSV),
 * but not unreadable requirements or unknown kinds of them; only an admin's `always` excuses those.
 */
export function judgeSkill(skill: JudgedSkill, policy: EligibilityPolicy, workers: readonly OnlineWorker[]): Judgement {
  const found = findEntry(policy, skill);
  const always = found?.entry.always ?? skill.always;
  const requirements = { ...skill.requirements, ...found?.entry.requires };
  const unreadable = judgeIds(requirements);
  const states = judgeRuntime(requirements, workers, policy.config);
  const isReadable = !requirements.invalid && requirements.unknown.length === 0;
  const excuse = found?.entry.always === true ? "admin" : always && isReadable ? "always" : null;
  return {
    stages: [
      judgeSwitch(skill, found === null ? null : { ...found, isHidden: found.entry.enabled === false }),
      {
        stage: "requirements",
        passed: unreadable.length === 0 || excuse !== null,
        reason: sayUnreadable(unreadable, excuse),
      },
      judgeStates(states, always),
    ],
    requirements: [...unreadable, ...states.filter(({ name }) => !unreadable.some((other) => other.name === name))],
  };
}

function judgeSwitch(skill: JudgedSkill, found: { by: string; key: string; isHidden: boolean } | null): Stage {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "switch", passed, reason });
  if (!skill.isListed) return stage(false, "An admin blocked it.");
  if (!skill.isApproved) return stage(false, "It has no approved version.");
  if (!skill.isEnabled) return stage(false, "It is switched off.");
  if (found?.isHidden) return stage(false, `An admin hides it by the override for the ${found.by} “${found.key}”.`);
  return stage(true, "It is approved and switched on.");
}

/** Unknown or unreadable requirements, which no worker can meet. */
function judgeIds({ invalid, capabilities, unknown }: Requirements): RequirementState[] {
  const ids = [...new Set(capabilities)].filter((id) => !GSV_CAPABILITIES.has(id));
  const state = (name: string, note: string): RequirementState => ({ kind: "invalid", name, met: false, note });
  const states = [
    ...ids.map((id) => state(id, "no such capability is known")),
    ...unknown.map((name) => state(name, "no such requirement is known")),
  ];
  if (!invalid) return states;
  const note = "a part of its requirements cannot be read";
  return [{ kind: "invalid", name: "requirements", met: false, note }, ...states];
}

function sayUnreadable(unreadable: RequirementState[], excuse: "admin" | "always" | null): string {
  if (unreadable.length === 0) return "All its requirements can be read.";
  const what = unreadable.map(({ name, note }) => (name === "requirements" ? note : `${name}: ${note}`)).join("; ");
  if (excuse === "admin") return `An admin allows it although ${what}.`;
  return excuse === "always" ? `It is always offered, although ${what}.` : `Not met: ${what}.`;
}

function judgeStates(states: RequirementState[], always: boolean): Stage {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "runtime", passed, reason });
  if (states.length === 0) return stage(true, "It requires nothing.");
  const missing = states.filter(({ met }) => !met);
  if (missing.length === 0) return stage(true, "All its requirements are met.");
  const what = missing.map(({ name, note }) => `${name} (${note})`).join(", ");
  return always
    ? stage(true, `It is always offered, although this is missing: ${what}.`)
    : stage(false, `Missing: ${what}.`);
}

/**
 * Each requirement with whether it is met. One online worker has to meet all worker requirements; the result is that of the
 * worker that meets most. Without an online worker none is met. A setting counts as set when it is true, a number, or a
 * non-empty text, list or mapping.
 */
function judgeRuntime(
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
