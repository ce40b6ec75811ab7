import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Random } from "@/lib/audit/testing/tamper-audit";
import type { Answer, Caller } from "./call-api";
import { packUpload } from "./publish-skill";

/** One acknowledged change. `revoking` only says that a token may be missing from now on. */
export type Acknowledged = { kind: Kind; id: string; value: string };
type Kind =
  | "skill"
  | "version"
  | "token"
  | "run"
  | "tags"
  | "enabled"
  | "setting"
  | "decision"
  | "revoking"
  | "revoked";

type Recorder = {
  write(acknowledged: Acknowledged): void;
  /** All acknowledged changes, from the disk. Read it while the server is dead, before more are added. */
  read(): Acknowledged[];
  close(): void;
};

export function openRecorder(file: string): Recorder {
  const handle = openSync(file, "a");
  return {
    write: (acknowledged) => {
      writeSync(handle, `${JSON.stringify(acknowledged)}\n`);
      fsyncSync(handle);
    },
    read: () =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Acknowledged),
    close: () => closeSync(handle),
  };
}

const CLIENTS = 6;
/** Settings that one client each changes, and that do not affect the others. */
const SETTINGS = [
  "approvalHours",
  "playgroundDays",
  "agentTraceDays",
  "maxTimeoutSeconds",
  "pipelineMaxDepth",
  "warmMemoryMiB",
] as const;

type Owned = { id: string; digest: string; isApproved: boolean };
/** Values requested since the last acknowledged one: after a kill each of them may be stored or not. */
export type PendingValues = Map<string, Set<string>>;
export type Load = {
  counts: Map<string, number>;
  refused: Map<string, number>;
  stop(): Promise<void>;
};

type Client = { number: number; step: number; skills: Owned[]; tokens: string[] };
type LoadContext = {
  caller: Caller;
  recorder: Recorder;
  random: Random;
  load: Load;
  runnable: string;
  pending: PendingValues;
};

/**
 * Makes changes of every kind concurrently through the API until `stop`: imports, edits, decisions, switches, runs,
 * settings and tokens. Each client changes only its own objects, one after the other, so that the expected state is always
 * known.
 */
export function startLoad(given: Omit<LoadContext, "load"> & { round: number }): Load {
  let isOver = false;
  const load: Load = { counts: new Map(), refused: new Map(), stop: async () => undefined };
  const context: LoadContext = { ...given, load };
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    const client: Client = { number, step: given.round * 100_000, skills: [], tokens: [] };
    while (!isOver) {
      client.step += 1;
      try {
        await act(context, client);
      } catch {
        return;
      }
    }
  });
  load.stop = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  return load;
}

async function act(context: LoadContext, client: Client): Promise<void> {
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
  const action = actions[Math.floor(context.random() * actions.length)] ?? startRun;
  await action(context, client);
}

async function importSkill({ caller, recorder, load }: LoadContext, client: Client): Promise<void> {
  const name = `k${client.number}_${client.step}`;
  const answer = await caller.call("POST", "/api/skills/import", await packUpload(name, name));
  if (!isSuccess(load, "import", answer)) return;
  const { skills } = JSON.parse(answer.text) as { skills: { id: string; pendingVersion: { digest: string } }[] };
  const [skill] = skills;
  if (!skill) return;
  recorder.write({ kind: "skill", id: skill.id, value: skill.pendingVersion.digest });
  client.skills.push({ id: skill.id, digest: skill.pendingVersion.digest, isApproved: false });
}

async function editTags(context: LoadContext, client: Client): Promise<void> {
  const skill = pick(context, client.skills);
  if (!skill) return;
  const value = `step-${client.step}`;
  await set(context, { kind: "tags", id: skill.id, value }, `/api/skills/${skill.id}`, { tags: [value] });
}

async function decide({ caller, recorder, random, load }: LoadContext, client: Client): Promise<void> {
  const skill = pick({ random }, client.skills);
  if (!skill || skill.isApproved) return;
  const path = `/api/skills/${skill.id}/versions/${skill.digest}/decisions`;
  const answer = await caller.call("POST", path, { json: { decision: "approve" } });
  if (!isSuccess(load, "decision", answer)) return;
  recorder.write({ kind: "decision", id: skill.id, value: skill.digest });
  skill.isApproved = true;
}

async function flip(context: LoadContext, client: Client): Promise<void> {
  const skill = pick(
    context,
    client.skills.filter(({ isApproved }) => isApproved),
  );
  if (!skill) return;
  const enabled = context.random() < 0.5;
  await set(context, { kind: "enabled", id: skill.id, value: String(enabled) }, `/api/skills/${skill.id}`, { enabled });
}

async function startRun({ caller, recorder, load, runnable }: LoadContext, client: Client): Promise<void> {
  const json = { args: { text: `${client.number}-${client.step}` }, wait: 0 };
  const answer = await caller.call("POST", `/api/skills/${runnable}/runs`, { json });
  if (!isSuccess(load, "run", answer)) return;
  const { id } = JSON.parse(answer.text) as { id: string };
  recorder.write({ kind: "run", id, value: json.args.text });
}

async function changeSetting(context: LoadContext, client: Client): Promise<void> {
  const key = SETTINGS[client.number] ?? SETTINGS[0];
  const value = 10 + Math.floor(context.random() * 10);
  await set(context, { kind: "setting", id: key, value: String(value) }, "/api/admin/settings", { [key]: value });
}

async function createToken({ caller, recorder, load }: LoadContext, client: Client): Promise<void> {
  const name = `t${client.number}-${client.step}`;
  const answer = await caller.call("POST", "/api/tokens", { json: { name, scopes: ["read"] } });
  if (!isSuccess(load, "token", answer)) return;
  const { id } = JSON.parse(answer.text) as { id: string };
  recorder.write({ kind: "token", id, value: name });
  client.tokens.push(id);
}

async function revokeToken({ caller, recorder, load }: LoadContext, client: Client): Promise<void> {
  const id = client.tokens.pop();
  if (id === undefined) return;
  // It may be revoked although the answer is lost: from now on the token may be missing.
  recorder.write({ kind: "revoking", id, value: "asked" });
  const answer = await caller.call("DELETE", `/api/tokens/${id}`);
  if (isSuccess(load, "revocation", answer)) recorder.write({ kind: "revoked", id, value: "yes" });
}

async function set(
  { caller, recorder, load, pending }: LoadContext,
  wanted: Acknowledged,
  path: string,
  json: unknown,
): Promise<void> {
  const key = `${wanted.kind} ${wanted.id}`;
  const open = pending.get(key) ?? new Set();
  pending.set(key, open.add(wanted.value));
  const answer = await caller.call("PATCH", path, { json });
  if (isSuccess(load, wanted.kind, answer)) {
    recorder.write(wanted);
    pending.delete(key);
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
