import { findProgram } from "@/lib/core/find-program";
import type { Isolation } from "../sandbox/isolation";
import { requireUid } from "../sandbox/require-uid";
import { trialCommand } from "../sandbox/try-bubblewrap";
import { tryOut } from "../sandbox/try-out";
import { type Ground, hostGround, sandboxGround } from "./ground";
import { openStarter } from "./open-starter";
import { roomOf } from "./room";

/** Makes the ground of a starter with a user id. */
export type GroundFor = (uid: number | null) => Ground;

export type FoundGround = {
  groundFor: GroundFor;
  /** With less of the host, once `tryGround` has found that it serves; null where that makes no difference. */
  smaller: GroundFor | null;
};

/** What starters stand on; null where there are none. `shown` are the directories that all skills are in. */
export function findGround(isolation: Isolation, shown: string[]): FoundGround | null {
  if (isolation.kind === "bubblewrap") {
    const { setpriv, nsenter } = isolation;
    if (isolation.uids === null || setpriv === null || nsenter === null) return null;
    const room = roomOf(isolation, isolation.store ? [...shown, isolation.store.dir] : shown);
    const within = (place: typeof room) => (uid: number | null) =>
      sandboxGround({ ...isolation, setpriv, nsenter }, { uid: requireUid(uid), room: place });
    return { groundFor: within(null), smaller: room && within(room) };
  }
  if (isolation.kind !== "none" || process.platform !== "linux") return null;
  const setpriv = findProgram("setpriv");
  return setpriv ? { groundFor: () => hostGround(setpriv), smaller: null } : null;
}

/** Has a starter on this ground start a sandbox: null when it did, else why not. Nothing of it is left then. Never throws. */
export async function tryGround(ground: Ground, isolation: Isolation, parent: string): Promise<string | null> {
  let onGone: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  try {
    const starter = await openStarter(ground, parent, { onIdle: () => {}, onGone });
    const failure = await tryOut(async () => {
      if (isolation.kind !== "bubblewrap") throw new Error("there is no sandbox to try");
      const child = await starter.start(trialCommand(isolation, ground.uid), { env: {} });
      if (child === null) throw new Error("it was not started");
      return child;
    });
    starter.close();
    await gone;
    return failure;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
