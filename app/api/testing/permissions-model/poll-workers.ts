import { beyondPlain, judgeRun, type Permission } from "@/lib/review/verify/judge-run";
import type { Lease } from "@/lib/worker/protocol";
import { askedBy, type ModelSkill, type ModelVersion, sha256 } from "./ledger";
import type { Play } from "./play";
import type { FakeWorker } from "./world";

const NOTHING = { slots: 0, waitSeconds: 0, holding: [], events: [], completions: [] };
const MANY = 50;

/** Both workers lease until no run is left; each run is judged and then succeeds, so that steps of pipelines follow. */
export async function pollWorkers(play: Play): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    let taken = 0;
    for (const worker of play.world.workers) taken += await poll(play, worker);
    if (taken === 0) return;
  }
}

async function poll(play: Play, worker: FakeWorker): Promise<number> {
  const answer = await play.ask(worker, "POST", "/api/worker/exchange", { ...NOTHING, slots: MANY });
  const { leases } = answer.body as { leases: Lease[] };
  for (const lease of leases) await judgeLease(play, worker, lease);
  if (leases.length > 0) {
    const completions = leases.map(({ runId, fence }) => ({ runId, fence, outcome: SUCCESS }));
    await play.ask(worker, "POST", "/api/worker/exchange", { ...NOTHING, completions });
  }
  return leases.length;
}

async function judgeLease(play: Play, worker: FakeWorker, lease: Lease): Promise<void> {
  const { ledger, statistics, violations } = play;
  ledger.leased.add(lease.runId);
  const asked = await play.ask(play.world.admin, "GET", `/api/runs/${lease.runId}`);
  const run = asked.body as { skill: { id: string }; class: string; caller: { id: string } };
  const skill = ledger.skills.find(({ id }) => id === run.skill.id);
  const version = skill?.versions.find(({ digest }) => digest === lease.versionDigest);
  const registered = ledger.workers.get(worker.id);
  const tell = (what: string) => void violations.push(`${lease.skillName}: ${what}`);
  if (registered === undefined) return tell("the worker has not registered");
  // The ledger knows nothing about runs of earlier sequences.
  if (skill === undefined || version === undefined) return tell("no person imported the bytes that it runs");
  for (const problem of judgeBytes(version, lease)) tell(problem);
  const { standing } = version;
  if (standing === null) return tell("no reviewer approved the version that it runs, or the approval was revoked");
  const { terms, signatures, needed, inName } = standing;
  if (terms.class !== run.class) tell(`it runs as ${run.class} and was approved as ${terms.class}`);
  if (terms.owner !== skill.owner) tell("its owner is another than the one it was approved for");
  const given = [...permissionsOf(lease, version), ...unseen(terms.permissions)];
  const found = judgeRun({
    ...{ given, asked: askedBy(version.asks), signed: terms.permissions, class: terms.highest },
    ...{ caller: run.caller.id, owner: skill.owner, signatures, needed, inName },
    ...{ authors: [...version.authors], isolation: registered.isolation, allows: registered.allows },
  });
  for (const problem of found) tell(problem);
  statistics.countStarted(given);
  if (beyondPlain(given).length > 0) statistics.reach("sequences with a started run with a grant");
  if (inName !== null) statistics.count("started in the operator’s name");
  if (isSelfApproved(skill, version)) statistics.count("started self-approved");
  if (version.activatedBack) statistics.count("started after an activation");
}

/** Whether only the owner approved the version, with solo mode off. */
function isSelfApproved(skill: ModelSkill, version: ModelVersion): boolean {
  const signatures = version.standing?.signatures ?? [];
  return signatures.length === 1 && signatures[0]?.signer === skill.owner && !signatures[0]?.soloMode;
}

function judgeBytes(version: ModelVersion, lease: Lease): string[] {
  const line = (path: string, mode: string, hash: string) => `${mode} ${path} ${hash}`;
  const brought = version.files.map(({ path, mode, text }) => line(path, mode, sha256(text))).sort();
  const leased = lease.files.map(({ path, mode, sha256: hash }) => line(path, mode, hash)).sort();
  return JSON.stringify(brought) === JSON.stringify(leased) ? [] : ["its files are not those that were approved"];
}

/** The permissions that a lease gives a run, as the worker reads them. */
function permissionsOf(
  { env, terms, secrets, workspace, limits, entry, call }: Lease,
  version: ModelVersion,
): Permission[] {
  const all: Permission[] = [];
  const add = (kind: Permission["kind"], ...names: string[]) => {
    for (const name of names) all.push({ kind, name });
  };
  add("env", ...env);
  if (terms.network) add("network", "all");
  add("host", ...terms.hosts);
  add("path", ...terms.paths.map(({ path, mode }) => `${path} ${mode}`));
  add("namespace", ...terms.namespaces);
  add("capability", ...terms.capabilities);
  add("credential", ...secrets.map(({ as, name, credential }) => `${credential} as ${as} ${name}`));
  if (workspace) add("workspace", "");
  if (limits.timeoutMs > 30_000) add("time", String(limits.timeoutMs / 1000));
  const ownEntry = version.files.some(({ path }) => path === "skill.json") ? "run.sh" : null;
  if (call !== undefined || entry !== ownEntry) add("entry", entry);
  return all;
}

/** Permissions that are granted to agents that use the skill, and are in no lease. */
function unseen(permissions: Permission[]): Permission[] {
  return permissions.filter(({ kind }) => kind === "tool" || kind === "scripts");
}

const SUCCESS = {
  ...{ result: { ok: true }, error: null, exitCode: 0, signal: null, timedOut: false, truncated: false },
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:00:01.000Z",
  durationMs: 1000,
  rawOutput: null,
};
