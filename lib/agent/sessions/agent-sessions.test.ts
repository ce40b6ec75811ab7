import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { getAgentSession, listAgentSessionFacets, listAgentSessions } from "./agent-sessions";
import { GetAgentSessionQuery, ListAgentSessionsQuery } from "./schema";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];
const query = (fields: object = {}) => ListAgentSessionsQuery.parse(fields);
const ofSteps = (fields: object = {}) => GetAgentSessionQuery.parse(fields);
const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

type Person = Awaited<ReturnType<typeof person>>;

async function sessionOf(user: Person, fields: object = {}) {
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const [id, at] = [newId(), new Date("2026-11-20T10:00:00Z")];
  const who = { tokenId: agent.tokenId, userId: user.id, personaId: agent.persona.id };
  await database.writer.agentSession.create({
    data: { id, ...who, client: "test 1.0", startedAt: at, lastSeenAt: at, ...fields },
  });
  return { id, agent };
}

async function addSteps(sessionId: string, kind: string, count: number, fields: object = {}) {
  const outcome = kind === "refused" ? "refused" : "ok";
  for (let index = 0; index < count; index += 1) {
    await database.writer.agentStep.create({
      data: { id: newId(), sessionId, at: new Date(), kind, outcome, detail: `${kind} ${index}`, ...fields },
    });
  }
}

test("admins see all sessions, other people only those of their own agents", async () => {
  const [user, other] = [await person(), await person()];
  const [mine, theirs] = [await sessionOf(user), await sessionOf(other)];
  expect(ids(await listAgentSessions(user.ctx, query()))).toEqual([mine.id]);
  expect(ids(await listAgentSessions(admin.ctx, query({ limit: 2 })))).toEqual([theirs.id, mine.id]);
  expect(ids(await listAgentSessions(reviewer.ctx, query()))).toEqual([]);
  expect(ids(await listAgentSessions(user.ctx, query({ user: other.id })))).toEqual([]);

  await expect(getAgentSession(user.ctx, { id: theirs.id, query: ofSteps() })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await getAgentSession(admin.ctx, { id: theirs.id, query: ofSteps() })).toMatchObject({ id: theirs.id });
  const facets = await listAgentSessionFacets(user.ctx);
  expect(facets.people.map(({ id }) => id)).toEqual([user.id]);
  expect(facets.tokens).toMatchObject([{ id: mine.agent.tokenId, name: "agent", sessions: 1 }]);
  expect(facets.personas).toMatchObject([{ id: mine.agent.persona.id, name: mine.agent.persona.name }]);
});

test("filters narrow to a persona, token, client and the time a session was alive; pages go on where they ended", async () => {
  const user = await person();
  const early = await sessionOf(user, { client: "early", lastSeenAt: new Date("2026-11-20T11:00:00Z") });
  const late = await sessionOf(user, {
    startedAt: new Date("2026-11-21T10:00:00Z"),
    lastSeenAt: new Date("2026-11-21T12:00:00Z"),
  });
  const found = async (fields: object) => ids(await listAgentSessions(user.ctx, query(fields)));
  expect(await found({ persona: early.agent.persona.id })).toEqual([early.id]);
  expect(await found({ token: late.agent.tokenId })).toEqual([late.id]);
  expect(await found({ client: "early" })).toEqual([early.id]);
  expect(await found({ from: "2026-11-20T10:30:00Z" })).toEqual([late.id, early.id]);
  expect(await found({ from: "2026-11-20T11:30:00Z" })).toEqual([late.id]);
  expect(await found({ to: "2026-11-21T09:00:00Z" })).toEqual([early.id]);
  const first = await listAgentSessions(user.ctx, query({ limit: 1 }));
  expect(ids(first)).toEqual([late.id]);
  expect(await found({ limit: 1, cursor: first.nextCursor })).toEqual([early.id]);
});

test("a line of the list counts every step and shows the newest, the limit of the active skill beside", async () => {
  const user = await person();
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { name: "limits_tools" });
  const { id } = await sessionOf(user, { activeSkillId: skill.id, activeTools: '["Read","Bash(git add:*)"]' });
  await addSteps(id, "listed", 30);
  await addSteps(id, "ran", 1, { skillId: skill.id, runId: newId(), durationMs: 40 });
  await addSteps(id, "refused", 2, { skillId: skill.id, tool: "run_command" });
  const [line] = (await listAgentSessions(user.ctx, query())).items;
  expect(line?.counts).toEqual({ listed: 30, ran: 1, refused: 2 });
  expect(line?.recent).toHaveLength(24);
  expect(line?.recent.slice(-3).map(({ kind }) => kind)).toEqual(["ran", "refused", "refused"]);
  expect(line?.active).toMatchObject({
    skill: { id: skill.id, name: "limits_tools", label: null },
    tools: ["Read", "Bash(git add:*)"],
  });

  const trace = await getAgentSession(user.ctx, { id, query: ofSteps({ kind: "refused" }) });
  expect(trace.steps.items.map(({ detail, outcome }) => [detail, outcome])).toEqual([
    ["refused 1", "refused"],
    ["refused 0", "refused"],
  ]);
  expect(trace.skills).toEqual([{ id: skill.id, name: "limits_tools", label: null, steps: 3 }]);
  const newest = await getAgentSession(user.ctx, { id, query: ofSteps({ limit: 3, skill: skill.id }) });
  expect(newest.steps.items.map(({ kind }) => kind)).toEqual(["refused", "refused", "ran"]);
  expect(newest.steps.nextCursor).toBeNull();
  const cut = await getAgentSession(user.ctx, { id, query: ofSteps({ limit: 3 }) });
  const rest = await getAgentSession(user.ctx, { id, query: ofSteps({ cursor: cut.steps.nextCursor }) });
  expect(rest.steps.items).toHaveLength(30);
});

test("a trace does not tell the name of a skill that the person does not see", async () => {
  const [user, other] = [await person(), await person()];
  const secret = await approvedSkill(other.ctx, reviewer.ctx, { name: "secret_of_another" });
  const { id } = await sessionOf(user);
  await addSteps(id, "refused", 1, { skillId: secret.id });
  const name = async (who: Person) => (await getAgentSession(who.ctx, { id, query: ofSteps() })).steps.items[0]?.skill;
  expect(await name(user)).toEqual({ id: secret.id, name: null, label: null });
  expect(await name(admin)).toEqual({ id: secret.id, name: "secret_of_another", label: null });
});
