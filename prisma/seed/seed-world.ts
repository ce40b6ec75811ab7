import { hasAdmin } from "@/lib/auth/people/setup";
import { createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { agentStory } from "./agent-story";
import { marketStory } from "./market-story";
import { runStory } from "./run-story";
import { skillStory } from "./skill-story";
import { teamStory } from "./team-story";
import { createWorld, PEOPLE } from "./world";

/** The story is one transaction; a busy machine may need a while for it. */
const LIMIT_MS = 180_000;

type Options = { now: Date; password: string };

/**
 * Tells the story of the seeded world through the product's own verbs, all of it or nothing. Answers `already there`
 * when it was told before; `beside an admin` when the server had one, which stays as it is.
 */
export async function seedWorld(
  database: Database,
  { now, password }: Options,
): Promise<"told" | "beside an admin" | "already there"> {
  const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database, now: () => now });
  return database.writer.$transaction(
    async (tx) => {
      if ((await tx.user.count({ where: { email: PEOPLE.tomas.email } })) > 0) return "already there" as const;
      const txCtx = { ...ctx, db: tx, tx };
      const outcome = (await hasAdmin(txCtx)) ? ("beside an admin" as const) : ("told" as const);
      const world = createWorld(txCtx, { now, password });
      const { clock } = world;
      const steps = [
        ...teamStory(clock),
        ...skillStory(clock),
        ...runStory(clock),
        ...agentStory(clock),
        ...marketStory(clock),
      ];
      steps.sort((a, b) => a.at.getTime() - b.at.getTime());
      for (const step of steps) await step.tell(world, step.at);
      return outcome;
    },
    { maxWait: LIMIT_MS, timeout: LIMIT_MS },
  );
}
