import type { Role } from "@/lib/core/actor";
import { allowanceOf } from "./allowance-of";
import { edit, importSkill, offer, publish, submit } from "./bring-in";
import { decide } from "./decide";
import type { Command } from "./draw-commands";
import type { Ledger, ModelSkill } from "./ledger";
import type { Play } from "./play";
import { pollWorkers } from "./poll-workers";
import type { Caller } from "./world";

/** Does one command over HTTP and notes in the ledger what the answer says was done. What it means may not be there. */
export async function perform(play: Play, command: Command): Promise<void> {
  const { ledger } = play;
  switch (command.kind) {
    case "import":
      return importSkill(play, command);
    case "offer":
      return offer(play, command);
    case "settings":
      if ((await play.ask(play.world.admin, "PATCH", "/api/admin/settings", command.patch)).ok)
        Object.assign(ledger.settings, command.patch);
      return;
    case "register":
      return register(play, command);
    case "role":
      return changeRole(play, command.person, command.role as Role);
    case "credential":
      return command.stored ? storeCredential(play) : undefined;
    case "fire":
      return fire(play, command);
    case "signRun":
    case "cancel":
      return actOnRun(play, command);
    default:
      return performOnSkill(play, command);
  }
}

type OnSkill = Extract<Command, { skill: unknown }>;

async function performOnSkill(play: Play, command: OnSkill): Promise<void> {
  const skill = play.skillOf(command.skill);
  if (skill === undefined) return;
  const caller = play.callerOf(command.by, skill);
  const at = `/api/skills/${skill.id}`;
  if (command.kind === "decide") return decide(play, { command, skill, caller });
  if (command.kind === "edit") return edit(play, { command, skill, caller });
  if (command.kind === "submit") return submit(play, { skill, caller, version: skill.versions.at(-1) });
  if (command.kind === "publish") return publish(play, { skill, caller, toPersona: command.toPersona });
  if (command.kind === "run") return run(play, { command, skill, caller });
  if (command.kind === "schedule") return schedule(play, skill, caller);
  if (command.kind === "adopt") return void (await play.ask(caller, "POST", `${at}/adoption`));
  if (command.kind === "delete") return void (await play.ask(caller, "DELETE", at));
  const patch = command.kind === "enable" ? { enabled: command.enabled } : { visibility: command.visibility };
  await play.ask(caller, "PATCH", at, patch);
}

type Act<K extends Command["kind"]> = { command: Extract<Command, { kind: K }>; skill: ModelSkill; caller: Caller };

async function run(play: Play, { command, skill, caller }: Act<"run">): Promise<void> {
  const worker = command.worker === null ? undefined : play.world.workers[command.worker];
  const body = { args: {}, ...(command.confirm ? { confirm: true } : {}), ...(worker ? { workerId: worker.id } : {}) };
  const answer = await play.ask(caller, "POST", `/api/skills/${skill.id}/runs`, body);
  if (!answer.ok) return;
  play.ledger.runs.push({ id: answer.text("id"), skillId: skill.id });
  if (command.starts) await pollWorkers(play);
}

async function schedule(play: Play, skill: ModelSkill, caller: Caller): Promise<void> {
  const body = { name: `of ${skill.name}`, skill: skill.id, cron: "0 3 1 1 *", confirm: true };
  const answer = await play.ask(caller, "POST", "/api/schedules", body);
  if (answer.ok) play.ledger.schedules.push({ id: answer.text("id"), skillId: skill.id });
}

async function fire(play: Play, command: Extract<Command, { kind: "fire" }>): Promise<void> {
  const found = play.pick(play.ledger.schedules, command.schedule);
  const skill = play.ledger.skills.find(({ id }) => id === found?.skillId);
  if (found === undefined || skill === undefined) return;
  const caller = play.callerOf(command.by, skill);
  const answer = await play.ask(caller, "POST", `/api/schedules/${found.id}/run`);
  if (answer.ok) play.ledger.runs.push({ id: answer.text("id"), skillId: skill.id });
}

async function actOnRun(play: Play, command: Extract<Command, { kind: "signRun" | "cancel" }>): Promise<void> {
  const found = play.pick(play.ledger.runs, command.run);
  if (found === undefined) return;
  if (command.kind === "signRun") {
    const caller = play.callerOf(command.by);
    await play.ask(caller, "POST", `/api/runs/${found.id}/decisions`, { decision: command.decision, comment: "seen" });
  } else {
    const skill = play.ledger.skills.find(({ id }) => id === found.skillId);
    await play.ask(play.callerOf(command.by, skill), "POST", `/api/runs/${found.id}/cancel`);
  }
}

async function register(
  { world, ledger, ask }: Play,
  { worker, allows, isolation }: Extract<Command, { kind: "register" }>,
): Promise<void> {
  const found = world.workers[worker];
  if (found === undefined) return;
  const said = allowanceOf(allows);
  const body = {
    ...{ name: found.name, version: "1", platform: "linux", pid: 1, slots: 50, isolation },
    ...(said === undefined ? {} : { allows: said }),
  };
  const answer = await ask(found, "POST", "/api/worker/register", body);
  if (!answer.ok) throw new Error(`a worker could not register: ${JSON.stringify(answer.body)}`);
  ledger.workers.set(found.id, { isolation, allows: said ?? allowanceOf("nothing") ?? never() });
}

async function changeRole(play: Play, person: number, role: Role): Promise<void> {
  const { world, ledger, ask } = play;
  const userId = [...world.roles.keys()].filter((id) => id !== world.admin.userId)[person];
  if (userId === undefined) return;
  const answer = await ask(world.admin, "PATCH", `/api/admin/users/${userId}`, { role });
  if (answer.ok) ledger.roles.set(userId, role);
}

async function storeCredential({ world, ask }: Play): Promise<void> {
  const body = { name: "deploy-key", value: "a value that is never printed" };
  await ask(world.admin, "POST", "/api/admin/credentials", body);
}

/** For people and workers as they were before: what a sequence leaves must not be found by the next. */
export async function begin(play: Play, start: Ledger["settings"]): Promise<void> {
  await perform(play, { kind: "settings", patch: start } as Command);
  for (const worker of [0, 1]) {
    await perform(play, { kind: "register", worker, allows: "everything", isolation: "sandbox" } as Command);
  }
}

/** Ends what still waits, and gives people the roles back that they began with. */
export async function end(play: Play): Promise<void> {
  const { world, ledger, ask } = play;
  const ids = ledger.runs.map(({ id }) => id).slice(0, 100);
  if (ids.length > 0) await ask(world.admin, "POST", "/api/runs/cancel", { ids });
  for (const [userId, role] of world.roles) {
    if (ledger.roles.get(userId) === role) continue;
    await ask(world.admin, "PATCH", `/api/admin/users/${userId}`, { role });
  }
}

function never(): never {
  throw new Error("a worker that allows nothing says so");
}
