import type { Role } from "@/lib/core/actor";
import { allowanceOf } from "./allowance-of";
import type { Command } from "./draw-commands";
import type { ModelSettings } from "./ledger";
import type { Play } from "./play";
import type { FakeWorker } from "./world";

/** An admin changes settings, which apply from the next request on. */
export async function changeSettings({ world, ledger, ask }: Play, patch: Partial<ModelSettings>): Promise<void> {
  const answer = await ask(world.admin, "PATCH", "/api/admin/settings", patch);
  if (answer.ok) Object.assign(ledger.settings, patch);
}

export async function giveRole({ world, ledger, ask }: Play, userId: string, role: Role): Promise<void> {
  const answer = await ask(world.admin, "PATCH", `/api/admin/users/${userId}`, { role });
  if (answer.ok) ledger.roles.set(userId, role);
}

type Said = Pick<Extract<Command, { kind: "register" }>, "allows" | "isolation">;

/** A worker registers with its properties and its operator's allowance. */
export async function register({ ledger, ask }: Play, worker: FakeWorker | undefined, said: Said): Promise<void> {
  if (worker === undefined) return;
  const { isolation } = said;
  const allows = allowanceOf(said.allows);
  const body = {
    ...{ name: worker.name, version: "1", platform: "linux", pid: 1, slots: 50, isolation },
    ...(allows === undefined ? {} : { allows }),
  };
  const answer = await ask(worker, "POST", "/api/worker/register", body);
  if (!answer.ok) throw new Error(`a worker could not register: ${JSON.stringify(answer.body)}`);
  ledger.workers.set(worker.id, { isolation, allows: allows ?? allowanceOf("nothing") });
}

const CREDENTIAL = { name: "deploy-key", value: "a value that is never printed" };

export async function storeCredential({ world, ledger, ask }: Play): Promise<void> {
  if (ledger.credentialId !== null) return;
  ledger.credentialId = (await ask(world.admin, "POST", "/api/admin/credentials", CREDENTIAL)).text("id");
}

export async function deleteCredential({ world, ledger, ask }: Play): Promise<void> {
  if (ledger.credentialId === null) return;
  const path = `/api/admin/credentials/${ledger.credentialId}?force=true`;
  if ((await ask(world.admin, "DELETE", path)).ok) ledger.credentialId = null;
}

/** Restores the state that sequences start with: resets the changes of the one before it. */
export async function begin(play: Play, start: ModelSettings): Promise<void> {
  const { world, ledger } = play;
  const other = Object.entries(start).filter(([key, value]) => ledger.settings[key as keyof ModelSettings] !== value);
  if (other.length > 0) await changeSettings(play, Object.fromEntries(other));
  for (const worker of world.workers) {
    const known = ledger.workers.get(worker.id);
    const isReady = known?.isolation === "sandbox" && known.allows === allowanceOf("everything");
    if (!isReady) await register(play, worker, { isolation: "sandbox", allows: "everything" });
  }
  for (const [userId, role] of world.roles) {
    if (ledger.roles.get(userId) !== role) await giveRole(play, userId, role);
  }
  await storeCredential(play);
}

/** Cancels all runs that no worker was handed; the next sequence would get them without knowing them. */
export async function end({ world, ledger, ask }: Play): Promise<void> {
  const ids = ledger.runs.filter(({ id }) => !ledger.leased.has(id)).map(({ id }) => id);
  if (ids.length > 0) await ask(world.admin, "POST", "/api/runs/cancel", { ids });
}
