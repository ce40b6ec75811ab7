import { hasAdmin } from "@/lib/auth/people/setup";
import { createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { agentSteps, playgroundSteps } from "./agent-steps";
import { communitySteps, peopleSteps } from "./people-steps";
import { runSteps } from "./run-steps";
import { skillSteps } from "./skill-steps";
import { createWorld, PEOPLE } from "./world";

/** The seed is one transaction, which takes long on a busy machine. */
const LIMIT_MS = 180_000;

type Options = { now: Date; password: string };

/**
 * Writes the example data through the product's own verbs, all of it or nothing. Returns `already there` when it was
 * written before, and `beside an admin` when the server had an admin, who is kept.
 */
export async function seedWorld(
  database: Database,
  { now, password }: Options,
): Promise<"seeded" | "beside an admin" | "already there"> {
  const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database, now: () => now });
  return database.writer.$transaction(
    async (tx) => {
      if ((await tx.user.count({ where: { email: PEOPLE.tomas.email } })) > 0) return "already there" as const;
      const txCtx = { ...ctx, db: tx, tx };
      const outcome = (await hasAdmin(txCtx)) ? ("beside an admin" as const) : ("seeded" as const);
      const world = createWorld(txCtx, { now, password });
      const { clock } = world;
      const steps = [
        ...peopleSteps(clock),
        ...skillSteps(clock),
        ...runSteps(clock),
        ...agentSteps(clock),
        ...communitySteps(clock),
        ...playgroundSteps(clock),
      ];
      steps.sort((a, b) => a.at.getTime() - b.at.getTime());
      for (const step of steps) await step.run(world, step.at);
      return outcome;
    },
    { maxWait: LIMIT_MS, timeout: LIMIT_MS },
  );
}
