import { parseArgs } from "node:util";
import type { Role } from "@/lib/core/actor";
import { CommandEnd, commandEnv, runCommand } from "@/lib/core/command-line";
import { AppError } from "@/lib/core/errors";
import { printable } from "@/lib/core/printable-text";
import { createCtx } from "@/lib/db/context";
import { type Database, existingDatabase } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { beginOptimizing } from "./optimize-skill";
import { getOverlay } from "./read-overlays";
import { OptimizeInput, type SkillOverlay } from "./schema";

const USAGE = `usage: npm run optimize -- SKILL [--optimizer bootstrap|gepa] [--endpoint ID] [--model NAME] [--as EMAIL]

Proposes a better description and examples for a skill from its traces, in the data directory of SKILLGATE_DATA. A reviewer
decides on the proposal.
--as: the person who proposes; default: the first admin.`;

/** Exit code 0 for a proposal, 1 without one, 2 for wrong arguments. */
await runCommand(USAGE, async () => {
  const given = readArguments();
  const database = await openDatabase(existingDatabase(commandEnv(undefined)));
  try {
    return report(await propose(database, given));
  } catch (error) {
    throw error instanceof AppError ? new CommandEnd(error.message, 1) : error;
  } finally {
    await database.close();
  }
});

type Given = { skill: string; as: string | undefined; input: OptimizeInput };

async function propose(database: Database, { skill, as, input }: Given): Promise<SkillOverlay> {
  const user = await database.reader.user.findFirst({
    where: { state: "active", ...(as === undefined ? { role: "admin" } : { email: as.toLowerCase() }) },
    orderBy: { createdAt: "asc" },
  });
  if (!user) {
    throw new CommandEnd(as === undefined ? "There is no active admin." : `There is no active person “${as}”.`, 2);
  }
  const { id: userId, name, email } = user;
  const role: Role = user.role === "admin" || user.role === "reviewer" ? user.role : "user";
  const actor = { kind: "user" as const, userId, name, email, role, sessionId: "command line" };
  const ctx = createCtx({ actor, database });
  const { overlay, work } = await beginOptimizing(ctx, skill, input);
  await work;
  return getOverlay(ctx, overlay.id);
}

function report({ skill, state, error, before, after, evidence, traceCount }: SkillOverlay): number {
  if (state === "failed") throw new CommandEnd(`No proposal for ${skill.name}: ${error}`, 1);
  const { score } = evidence;
  console.log(`Proposed an overlay for ${skill.name} from ${traceCount} traces. It is pending review.`);
  console.log(`before: ${printable(before.description)}\nafter:  ${printable(after.description)}`);
  console.log(`examples: ${after.fewShot.length}`);
  if (score)
    console.log(`${score.model} chose correctly: before ${score.before}, after ${score.after}, ${score.calls} calls`);
  return 0;
}

function readArguments(): Given {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { optimizer: text, endpoint: text, model: text, as: text, help: { type: "boolean", short: "h" } },
  });
  const [skill, ...more] = positionals;
  const { optimizer, endpoint: endpointId, model, as } = values;
  const input = OptimizeInput.safeParse({ optimizer, endpointId, model });
  if (!skill || more.length > 0 || values.help || !input.success) throw new CommandEnd(USAGE, 2);
  return { skill, as, input: input.data };
}
