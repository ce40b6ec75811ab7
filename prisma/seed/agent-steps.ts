import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { agentOfConversation, ensurePersona } from "@/lib/agent/playground/conversation-agent";
import { PlaygroundEvent, PlaygroundLimits } from "@/lib/agent/playground/schema";
import { openAgentSession } from "@/lib/agent/sessions/open-agent-session";
import { type NewStep, recordStep } from "@/lib/agent/sessions/record-step";
import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import { type Clock, later, type Step, skillId, type World } from "./world";

type SeedStep = Omit<NewStep, "sessionId" | "skillId" | "versionDigest"> & {
  /** Seconds since the previous step. */
  after: number;
  skill?: string;
};

const LIST: SeedStep = {
  ...{ after: 1, kind: "listed", tool: "tools/list", durationMs: 4 },
  detail: "listed 12 tools, 7 of them skills",
};
const COMMIT_LIMIT = ["Bash(git status:*)", "Bash(git diff:*)", "Bash(git add:*)", "Bash(git commit:*)", "Read"];

const Recorded = z.object({
  prompt: z.string(),
  answer: z.string(),
  tokens: z.number(),
  milliseconds: z.number(),
  events: z.array(PlaygroundEvent),
});

const MODEL = { endpointId: "recorded", endpointName: "Recorded", model: "scripted" };

/** Two sessions of the agent: one within the limits of its skill, and one with a refused call. */
export function agentSteps({ daysAgo, minutesAgo }: Clock): Step[] {
  const session = (at: Date, client: string, steps: SeedStep[], active?: Active): Step => ({
    at,
    run: (world) => recordSession(world, { at, client, steps, active }),
  });
  return [
    session(daysAgo(1, "13:14"), "claude-code 2.1.4", [
      LIST,
      {
        after: 4,
        kind: "loaded",
        tool: "use_skill",
        skill: "csv-summary",
        detail: "loaded csv-summary",
        durationMs: 6,
      },
      { after: 9, kind: "ran", tool: "csv_summary", skill: "csv-summary", detail: "", durationMs: 640 },
    ]),
    session(
      minutesAgo(128),
      "claude-code 2.1.4",
      [
        LIST,
        {
          ...{ after: 5, kind: "loaded", tool: "use_skill", skill: "commit-helper", durationMs: 5 },
          detail: `loaded commit-helper, limited to ${COMMIT_LIMIT.join(", ")}`,
        },
        {
          ...{ after: 8, kind: "refused", outcome: "refused", tool: "csv_summary", skill: "csv-summary" },
          detail: "The active skill “commit-helper” does not allow csv_summary.",
        },
        { after: 40, kind: "listed", tool: "list_skills", detail: "searched for “changelog”: 1 skill", durationMs: 3 },
      ],
      { skill: "commit-helper", tools: COMMIT_LIMIT },
    ),
  ];
}

type Active = { skill: string; tools: string[] };
type Session = { at: Date; client: string; steps: SeedStep[]; active: Active | undefined };

async function recordSession(world: World, { at, client, steps, active }: Session): Promise<void> {
  if (!world.agent) throw new Error("the agent is not connected yet");
  const { id } = await openAgentSession(world.as(world.agent, at), { client });
  let now = at;
  for (const { after, skill, ...step } of steps) {
    now = later(now, after * 1_000);
    const ctx = world.as(world.agent, now);
    if (!ctx.tx) throw new Error("the seed runs in one transaction");
    await recordStep(ctx.tx, ctx, { ...step, ...(await servedBy(world, skill)), sessionId: id });
  }
  if (active === undefined) return;
  const served = await servedBy(world, active.skill);
  await world.system(now).db.agentSession.update({
    where: { id },
    data: {
      activeSkillId: served.skillId,
      activeVersionDigest: served.versionDigest,
      activeTools: JSON.stringify(active.tools),
    },
  });
}

async function servedBy(world: World, skill: string | undefined) {
  if (skill === undefined) return { skillId: null, versionDigest: null };
  const id = skillId(world, skill);
  const row = await world.system(new Date()).db.skill.findUniqueOrThrow({ where: { id }, include: { current: true } });
  return { skillId: id, versionDigest: row.current?.digest ?? null };
}

/** One conversation of the playground, as the scripted model of the tests answered it, so that a visitor sees one without a model. */
export function playgroundSteps({ daysAgo }: Clock): Step[] {
  return [{ at: daysAgo(1, "16:40"), run: recordConversation }];
}

async function recordConversation(world: World, at: Date): Promise<void> {
  const text = await readFile(join(import.meta.dirname, "playground-answer.json"), "utf8");
  const { prompt, answer, tokens, milliseconds, events } = Recorded.parse(JSON.parse(text));
  const ctx = world.person("tomas", at);
  const { tx } = ctx;
  if (!tx || ctx.actor.kind !== "user") throw new Error("the seed runs in one transaction, as a person");
  const persona = await ensurePersona(tx, ctx, undefined);
  const who = { id: newId(), personaId: persona.id };
  const session = await openAgentSession(agentOfConversation(ctx, who), {
    client: `playground (${MODEL.model})`,
    surface: "playground",
  });
  const title = "What stands in this table, and is anything missing?";
  await tx.conversation.create({
    data: {
      ...who,
      ...MODEL,
      title,
      userId: ctx.actor.userId,
      sessionId: session.id,
      skills: JSON.stringify([{ skillId: skillId(world, "csv-summary"), versionDigest: null }]),
      limits: JSON.stringify(PlaygroundLimits.parse({})),
      createdAt: at,
      updatedAt: at,
    },
  });
  await tx.conversationTurn.create({
    data: {
      ...{ id: newId(), conversationId: who.id, seq: 1, prompt, answer, tokens },
      events: JSON.stringify(events),
      messages: JSON.stringify([
        { role: "user", content: prompt },
        { role: "assistant", content: answer },
      ]),
      state: "done",
      endReason: "done",
      at,
      finishedAt: later(at, milliseconds),
    },
  });
  await recordEvent(tx, ctx, {
    action: "playground.ask",
    summary: `asked ${MODEL.model} in the playground`,
    target: { kind: "conversation", id: who.id, name: title },
    sessionId: session.id,
    data: { model: MODEL.model, characters: prompt.length },
  });
}
