import { expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import { updateSkill } from "@/lib/skills/edit-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { listTools } from "../list-tools";
import { openAgentSession } from "../sessions/open-agent-session";
import { buildPreamble } from "./build-preamble";
import { AgentViewQuery, PreambleQuery } from "./schema";
import { viewAgent } from "./view-agent";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];
const query = (fields: object = {}) => AgentViewQuery.parse(fields);

test("the view equals what the agent gets, and leaves no trace", async () => {
  const user = await person();
  await approvedSkill(user.ctx, reviewer.ctx, { name: "reads_things" });
  const changes = await approvedSkill(user.ctx, reviewer.ctx, {
    name: "changes_things",
    manifest: { class: "mutating" },
  });
  const denied = await approvedSkill(user.ctx, reviewer.ctx, { name: "secret_things" });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only", deny: ["secret*"] });
  for (const format of ["xml", "markdown", "json"] as const) {
    const view = await viewAgent(user.ctx, query({ persona: agent.persona.id, format }));
    expect(await database.reader.agentStep.count()).toBe(0);
    const session = await openAgentSession(agent.ctx);
    const served = await buildPreamble(agent.ctx, session, PreambleQuery.parse({ format }));
    expect(view.preamble).toBe(served.text);
    expect(view.tools).toEqual((await listTools(agent.ctx, session)).tools);
    await database.writer.agentStep.deleteMany();
  }
  const view = await viewAgent(user.ctx, query({ persona: agent.persona.id }));
  expect(view.persona).toEqual({ id: agent.persona.id, name: agent.persona.name });
  expect(view.hidden).toEqual([
    { reason: "mode", count: 1, skills: [{ id: changes.id, name: "changes_things", why: expect.any(String) }] },
    { reason: "persona", count: 1, skills: [{ id: denied.id, name: "secret_things", why: expect.any(String) }] },
  ]);
  const names = view.tools.map(({ name }) => name);
  expect(names).toContain("reads_things");
  expect(names).not.toContain("changes_things");
  expect(view.definitions.openai).toHaveLength(names.length);
  expect(view.definitions.anthropic).toHaveLength(names.length);
});

test("people look at the personas of their own live tokens, admins at all of them", async () => {
  const [user, other] = [await person(), await person()];
  const mine = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const theirs = await agentOf(admin.ctx, other, { permissionMode: "read-only" });
  const idle = await createPersona(admin.ctx, { name: "Idle", permissionMode: "read-only" });
  const look = async (who: typeof user, persona: string) => (await viewAgent(who.ctx, query({ persona }))).persona?.id;
  expect(await look(user, mine.persona.id)).toBe(mine.persona.id);
  await expect(look(user, theirs.persona.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(look(user, idle.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await look(admin, theirs.persona.id)).toBe(theirs.persona.id);
  expect(await look(admin, idle.id)).toBe(idle.id);
  await database.writer.apiToken.update({ where: { id: mine.tokenId }, data: { revokedAt: new Date() } });
  await expect(look(user, mine.persona.id)).rejects.toMatchObject({ code: "not_found" });
});

test("an admin's view shows no more than an agent of theirs would see", async () => {
  const user = await person();
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { name: "private_to_one" });
  const view = await viewAgent(admin.ctx, query());
  expect(view.preamble).not.toContain("private_to_one");
  expect(view.hidden.flatMap(({ skills }) => skills.map(({ id }) => id))).not.toContain(skill.id);
  expect((await viewAgent(user.ctx, query())).preamble).toContain("private_to_one");
  await updateSkill(user.ctx, skill.id, { enabled: false });
  expect((await viewAgent(user.ctx, query())).preamble).not.toContain("private_to_one");
});

test("only a token that may save skills is given save_skill and asked to save", async () => {
  const user = await person();
  await approvedSkill(user.ctx, reviewer.ctx, { name: "one_to_list" });
  const [reads, saves] = [await viewAgent(user.ctx, query()), await viewAgent(user.ctx, query({ saves: "true" }))];
  expect(reads.tools.map(({ name }) => name)).not.toContain("save_skill");
  expect(saves.tools.map(({ name }) => name)).toContain("save_skill");
  expect([reads.preamble, saves.preamble].map((text) => text.includes("save_skill"))).toEqual([false, true]);
});
