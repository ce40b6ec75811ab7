import { signIn } from "@/lib/auth/sessions/sign-in";
import type { Actor } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { type Clock, createClock } from "./clock";
import { PEOPLE, type PersonKey } from "./people";

/** One thing that happened. The whole story is told in order of time, since ids and the audit trail keep that order. */
export type Step = { at: Date; tell: (world: World, at: Date) => Promise<void> };

/** What the story knows while it is told: who is signed in, and which skill or worker has which id. */
export type World = {
  clock: Clock;
  password: string;
  skillIds: Map<string, string>;
  invitations: Map<PersonKey, string>;
  agent: Actor | null;
  worker: { id: string; name: string } | null;
  /** A context in the transaction of the story, at a moment of it. */
  as(actor: Actor, at: Date): Ctx;
  system(at: Date): Ctx;
  visitor(at: Date): Ctx;
  person(key: PersonKey, at: Date): Ctx;
  signIn(key: PersonKey, at: Date): Promise<void>;
};

export function createWorld(txCtx: Ctx, { now, password }: { now: Date; password: string }): World {
  const sessions = new Map<PersonKey, Actor>();
  const as = (actor: Actor, at: Date): Ctx => ({
    ...txCtx,
    actor,
    request: { requestId: newId(), address: null, userAgent: null },
    now: () => at,
  });
  const world: World = {
    clock: createClock(now),
    password,
    skillIds: new Map(),
    invitations: new Map(),
    agent: null,
    worker: null,
    as,
    system: (at) => as({ kind: "system", name: "Skillgate" }, at),
    visitor: (at) => as({ kind: "anonymous" }, at),
    person(key, at) {
      const actor = sessions.get(key);
      if (!actor) throw new Error(`${PEOPLE[key].name} has not signed in yet.`);
      return as(actor, at);
    },
    async signIn(key, at) {
      const ctx = world.visitor(at);
      const request = {
        ...ctx.request,
        address: addressOf(key),
        userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0",
      };
      const actor = await signIn({ ...ctx, request }, { email: PEOPLE[key].email, password });
      if (actor === null) throw new Error(`${PEOPLE[key].name} could not sign in.`);
      sessions.set(key, actor);
    },
  };
  return world;
}

/** Out of the range that is reserved for documentation. */
function addressOf(key: PersonKey): string {
  return `192.0.2.${10 + Object.keys(PEOPLE).indexOf(key)}`;
}

/** The id of a skill the story has brought in. */
export function skillId(world: World, name: string): string {
  const id = world.skillIds.get(name);
  if (!id) throw new Error(`The story has not brought in ${name} yet.`);
  return id;
}
