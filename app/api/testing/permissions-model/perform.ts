import type { Role } from "@/lib/core/actor";
import { activate } from "./activate";
import { edit, importSkill, offer, publish, submit } from "./bring-in";
import { decide } from "./decide";
import type { Command } from "./draw-commands";
import type { ModelSkill } from "./ledger";
import { changeSettings, deleteCredential, giveRole, register, storeCredential } from "./manage";
import type { Play } from "./play";
import { pollWorkers } from "./poll-workers";
import type { Caller } from "./world";

/** Sends one command over HTTP and notes the result in the ledger. The object of the command may not exist. */
export async function perform(play: Play, command: Command): Promise<void> {
  switch (command.kind) {
    case "import":
      return importSkill(play, command);
    case "offer":
      return offer(play, command);
    case "settings":
      return changeSettings(play, command.patch);
    case "register":
      return register(play, play.world.workers[command.worker], command);
    case "role":
      return changeRole(play, command.person, command.role as Role);
    case "credential":
      return command.stored ? storeCredential(play) : deleteCredential(play);
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
  if (command.kind === "activate") return activate(play, { command, skill, caller });
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
  const found = command.run === "last" ? play.ledger.runs.at(-1) : play.pick(play.ledger.runs, command.run);
  if (found === undefined) return;
  if (command.kind === "signRun") {
    const skill = play.ledger.skills.find(({ id }) => id === found.skillId);
    const caller = play.callerOf(command.by, skill);
    await play.ask(caller, "POST", `/api/runs/${found.id}/decisions`, { decision: command.decision, comment: "seen" });
  } else {
    const skill = play.ledger.skills.find(({ id }) => id === found.skillId);
    await play.ask(play.callerOf(command.by, skill), "POST", `/api/runs/${found.id}/cancel`);
  }
}

async function changeRole(play: Play, person: number, role: Role): Promise<void> {
  const userId = [...play.world.roles.keys()].filter((id) => id !== play.world.admin.userId)[person];
  if (userId !== undefined) await giveRole(play, userId, role);
}
