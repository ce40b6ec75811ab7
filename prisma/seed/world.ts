import { signIn } from "@/lib/auth/sessions/sign-in";
import type { Actor, Role } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";

/** One action at one moment. Steps run in order of time, since ids and the audit keep that order. */
export type Step = { at: Date; run: (world: World, at: Date) => Promise<void> };

/** The state of the seed: who is signed in, and the ids of skills and of the worker. */
export type World = {
  clock: Clock;
  password: string;
  skillIds: Map<string, string>;
  invitations: Map<PersonKey, string>;
  agent: Actor | null;
  worker: { id: string; name: string } | null;
  /** A context in the transaction of the seed, at a moment of its timeline. */
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

/** An address of the range reserved for documentation (RFC 5737). */
function addressOf(key: PersonKey): string {
  return `192.0.2.${10 + Object.keys(PEOPLE).indexOf(key)}`;
}

/** The id of a skill that the seed has imported. */
export function skillId(world: World, name: string): string {
  const id = world.skillIds.get(name);
  if (!id) throw new Error(`The seed has not imported ${name} yet.`);
  return id;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Moments counted back from now, so that the seeded data always looks recent. */
export type Clock = {
  /** A time of day (UTC) a number of days ago; at least one day, so that it is always in the past. */
  daysAgo(days: number, time: string): Date;
  minutesAgo(minutes: number): Date;
};

export function createClock(now: Date): Clock {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return {
    daysAgo(days, time) {
      const [hours = 0, minutes = 0] = time.split(":").map(Number);
      return new Date(midnight - days * DAY_MS + (hours * 60 + minutes) * MINUTE_MS);
    },
    minutesAgo: (minutes) => new Date(now.getTime() - minutes * MINUTE_MS),
  };
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

type Person = { name: string; email: string; role: Role };

/** The seeded people. They share one password; Jonas has not set one yet, and Lena is disabled. */
export const PEOPLE = {
  tomas: { name: "Tomás Ferreira", email: "tomas@example.test", role: "admin" },
  mara: { name: "Mara Lindqvist", email: "mara@example.test", role: "reviewer" },
  ben: { name: "Ben Okafor", email: "ben@example.test", role: "reviewer" },
  aiko: { name: "Aiko Tanaka", email: "aiko@example.test", role: "user" },
  priya: { name: "Priya Nair", email: "priya@example.test", role: "user" },
  lena: { name: "Lena Novak", email: "lena@example.test", role: "user" },
  jonas: { name: "Jonas Weber", email: "jonas@example.test", role: "user" },
} as const satisfies Record<string, Person>;

export type PersonKey = keyof typeof PEOPLE;

export const DEFAULT_PASSWORD = "quiet-harbour-lantern";
