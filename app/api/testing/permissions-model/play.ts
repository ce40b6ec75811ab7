import type { By } from "./draw-commands";
import type { Ledger, ModelSkill } from "./ledger";
import type { Statistics } from "./statistics";
import type { Answer, Caller, World } from "./world";

export type Asked = Answer & {
  /** Whether the status was 2xx. */
  ok: boolean;
  /** A text field of the answer; throws without it. */
  text(field: string): string;
};

/** One sequence while it is played. */
export type Play = {
  world: World;
  ledger: Ledger;
  statistics: Statistics;
  /** Part of the names of its skills, so that no other sequence has the same names. */
  serial: string;
  violations: string[];
  /** What was done, one line each, as it really happened. */
  log: string[];
  ask(
    who: { name: string; headers: Record<string, string> },
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Asked>;
  skillOf(which: number | "last"): ModelSkill | undefined;
  callerOf(by: By, skill?: ModelSkill): Caller;
  pick<T>(from: T[], which: number): T | undefined;
};

/** The settings of a new server. */
const SETTINGS_AT_FIRST: Ledger["settings"] = {
  ...{ soloMode: true, ownerMayApproveSafe: true, signaturesForDangerous: 2, signaturesForMutating: 1 },
  ...{ safeWithoutSandbox: false, mutatingWithoutSandbox: false, dangerousWithoutSandbox: false },
};

type Beginning = {
  statistics: Statistics;
  serial: string;
  /** Ledger of the sequence before: its settings, roles, workers and credentials still apply. */
  before: Ledger | null;
};

/** Creates the state of a new sequence. */
export function createPlay(world: World, { statistics, serial, before }: Beginning): Play {
  const ledger: Ledger = {
    settings: { ...(before?.settings ?? SETTINGS_AT_FIRST) },
    roles: new Map(before?.roles ?? world.roles),
    workers: new Map(before?.workers),
    credentialId: before?.credentialId ?? null,
    ...{ skills: [], runs: [], schedules: [], trusted: new Set(), leased: new Set() },
  };
  const log: string[] = [];
  const pick = <T>(from: T[], which: number) => from[which % Math.max(1, from.length)];
  return {
    ...{ world, ledger, statistics, serial, violations: [], log, pick },
    ask: async (who, method, path, body) => {
      const answer = await world.send(method, path, who, body);
      const said = answer.body as Record<string, unknown> | null;
      if (answer.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      const ok = answer.status < 300;
      log.push(`${who.name}: ${method} ${path} ${write(body)} → ${answer.status}${ok ? "" : ` ${said?.code}`}`);
      statistics.countAnswer(`${method} ${path}`, ok ? "done" : String(said?.code));
      const text = (field: string) => {
        const value = said?.[field];
        if (typeof value !== "string") throw new Error(`${method} ${path} answered no ${field}`);
        return value;
      };
      return { ...answer, ok, text };
    },
    skillOf: (which) => (which === "last" ? ledger.skills.at(-1) : pick(ledger.skills, which)),
    callerOf: (by, skill) => {
      const persons = world.callers.filter(({ inPerson }) => inPerson);
      if (typeof by === "number") return pick(world.callers, by) ?? world.admin;
      if (by === "admin") return world.admin;
      if (by === "owner") return persons.find(({ userId }) => userId === skill?.owner) ?? world.admin;
      const authors = skill?.versions.at(-1)?.authors;
      const others = persons.filter(
        ({ userId }) => world.roles.get(userId) !== "user" && userId !== skill?.owner && authors?.has(userId) !== true,
      );
      return others[by === "reviewer" ? 0 : 1] ?? world.admin;
    },
  };
}

function write(body: unknown): string {
  return body === undefined || body instanceof FormData || body instanceof Uint8Array ? "" : JSON.stringify(body);
}
