import type { Random } from "@/lib/audit/testing/tamper-audit";
import type { Answer, Caller } from "../harness/call-api";
import { packUpload } from "../harness/publish-skill";
import type { Acknowledged, Recorder } from "./recorder";

const LANES = 6;
/** Settings that one lane each changes, and that change nothing for the others. */
const SETTINGS = [
  "approvalHours",
  "playgroundDays",
  "agentTraceDays",
  "maxTimeoutSeconds",
  "pipelineMaxDepth",
  "warmMemoryMiB",
] as const;

type Owned = { id: string; digest: string; isApproved: boolean };
/** Values that were asked for since the last that was acknowledged: after a kill each of them may be there or not. */
export type PendingValues = Map<string, Set<string>>;
export type Load = {
  counts: Map<string, number>;
  /** Answers that were neither yes nor the end of the server. */
  refused: Map<string, number>;
  stop(): Promise<void>;
};

type Client = { number: number; step: number; skills: Owned[]; tokens: string[] };
type LoadContext = {
  caller: Caller;
  witness: Recorder;
  random: Random;
  load: Load;
  /** A skill that is approved and on. */
  runnable: string;
  underWay: PendingValues;
};

/**
 * Changes of every kind at once, through the API, until `stop`: imports, edits, decisions, switches, runs, settings and tokens. Each
 * lane changes only what is its own, one thing after the other, so that what has to be there is always known.
 */
export function startLoad(given: Omit<LoadContext, "load"> & { round: number }): Load {
  let isOver = false;
  const load: Load = { counts: new Map(), refused: new Map(), stop: async () => undefined };
  const world: LoadContext = { ...given, load };
  const lanes = Array.from({ length: LANES }, async (_, number) => {
    const lane: Client = { number, step: given.round * 100_000, skills: [], tokens: [] };
    while (!isOver) {
      lane.step += 1;
      // The server is gone; the next round begins with the next one.
      if (!(await act(world, lane).catch(() => false))) return;
    }
  });
  load.stop = async () => {
    isOver = true;
    await Promise.all(lanes);
  };
  return load;
}

/** Answers false when the load has to end. */
async function act(world: LoadContext, lane: Client): Promise<boolean> {
  const actions = [
    importSkill,
    importSkill,
    editTags,
    flip,
    decide,
    startRun,
    startRun,
    changeSetting,
    createToken,
    revokeToken,
  ];
  const action = actions[Math.floor(world.random() * actions.length)] ?? startRun;
  await action(world, lane);
  return true;
}

async function importSkill({ caller, witness, load }: LoadContext, lane: Client): Promise<void> {
  const name = `k${lane.number}_${lane.step}`;
  const answer = await caller.call("POST", "/api/skills/import", await packUpload(name, name));
  if (!isSuccess(load, "import", answer)) return;
  const { skills } = JSON.parse(answer.text) as { skills: { id: string; pendingVersion: { digest: string } }[] };
  const [skill] = skills;
  if (!skill) return;
  witness.write({ kind: "skill", id: skill.id, value: skill.pendingVersion.digest });
  lane.skills.push({ id: skill.id, digest: skill.pendingVersion.digest, isApproved: false });
}

async function editTags(world: LoadContext, lane: Client): Promise<void> {
  const skill = pick(world, lane.skills);
  if (!skill) return;
  const value = `step-${lane.step}`;
  await set(world, { kind: "tags", id: skill.id, value }, `/api/skills/${skill.id}`, { tags: [value] });
}

async function decide({ caller, witness, random, load }: LoadContext, lane: Client): Promise<void> {
  const skill = pick({ random }, lane.skills);
  if (!skill || skill.isApproved) return;
  const path = `/api/skills/${skill.id}/versions/${skill.digest}/decisions`;
  const answer = await caller.call("POST", path, { json: { decision: "approve" } });
  if (!isSuccess(load, "decision", answer)) return;
  witness.write({ kind: "decision", id: skill.id, value: skill.digest });
  skill.isApproved = true;
}

async function flip(world: LoadContext, lane: Client): Promise<void> {
  const skill = pick(
    world,
    lane.skills.filter(({ isApproved }) => isApproved),
  );
  if (!skill) return;
  const enabled = world.random() < 0.5;
  await set(world, { kind: "enabled", id: skill.id, value: String(enabled) }, `/api/skills/${skill.id}`, { enabled });
}

async function startRun({ caller, witness, load, runnable }: LoadContext, lane: Client): Promise<void> {
  const json = { args: { text: `${lane.number}-${lane.step}` }, wait: 0 };
  const answer = await caller.call("POST", `/api/skills/${runnable}/runs`, { json });
  if (!isSuccess(load, "run", answer)) return;
  const { id } = JSON.parse(answer.text) as { id: string };
  witness.write({ kind: "run", id, value: json.args.text });
}

async function changeSetting(world: LoadContext, lane: Client): Promise<void> {
  const key = SETTINGS[lane.number] ?? SETTINGS[0];
  const value = 10 + Math.floor(world.random() * 10);
  await set(world, { kind: "setting", id: key, value: String(value) }, "/api/admin/settings", { [key]: value });
}

async function createToken({ caller, witness, load }: LoadContext, lane: Client): Promise<void> {
  const name = `t${lane.number}-${lane.step}`;
  const answer = await caller.call("POST", "/api/tokens", { json: { name, scopes: ["read"] } });
  if (!isSuccess(load, "token", answer)) return;
  const { id } = JSON.parse(answer.text) as { id: string };
  witness.write({ kind: "token", id, value: name });
  lane.tokens.push(id);
}

async function revokeToken({ caller, witness, load }: LoadContext, lane: Client): Promise<void> {
  const id = lane.tokens.pop();
  if (id === undefined) return;
  // It may be made although the answer is lost: from now on the token may be gone.
  witness.write({ kind: "revoking", id, value: "asked" });
  const answer = await caller.call("DELETE", `/api/tokens/${id}`);
  if (isSuccess(load, "revocation", answer)) witness.write({ kind: "revoked", id, value: "yes" });
}

async function set(
  { caller, witness, load, underWay }: LoadContext,
  wanted: Acknowledged,
  path: string,
  json: unknown,
): Promise<void> {
  const key = `${wanted.kind} ${wanted.id}`;
  const open = underWay.get(key) ?? new Set();
  underWay.set(key, open.add(wanted.value));
  const answer = await caller.call("PATCH", path, { json });
  if (isSuccess(load, wanted.kind, answer)) {
    witness.write(wanted);
    underWay.delete(key);
  } else open.delete(wanted.value);
}

function isSuccess({ counts, refused }: Load, kind: string, { status }: Answer): boolean {
  const into = status < 300 ? counts : refused;
  const key = status < 300 ? kind : `${kind} ${status}`;
  into.set(key, (into.get(key) ?? 0) + 1);
  return status < 300;
}

function pick<T>({ random }: { random: Random }, items: T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}
