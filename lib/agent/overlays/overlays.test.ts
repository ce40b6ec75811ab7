import { afterAll, expect, test } from "vitest";
import { activeOverlays } from "@/lib/agent/offers/enabled-skills";
import { newId } from "@/lib/core/ids";
import { startRun } from "@/lib/runner/runs/start-run";
import { createEndpoint } from "@/lib/settings/models/endpoints";
import { CreateModelEndpointInput } from "@/lib/settings/models/schema";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { startModelServer } from "@/lib/testing/model-server";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideOverlay } from "./decide-overlay";
import { beginOptimizing, optimizeSkill } from "./optimize-skill";
import { getOverlay, getOverlayToml, listOverlays } from "./read-overlays";
import { DecideOverlayInput, ListOverlaysQuery, OptimizeInput } from "./schema";
import { readOverlayToml, submitOverlay } from "./submit-overlay";

const { person, database } = await testDatabase();
const [admin, reviewer, owner] = [await person("admin"), await person("reviewer"), await person()];
await updateSettings(admin.ctx, { soloMode: false });

const approve = DecideOverlayInput.parse({ decision: "approve", comment: "reads well" });
const bootstrap = OptimizeInput.parse({});

/** Adds uses of a skill, as agents' sessions record them. */
async function addTraces(
  skillId: string,
  digest: string,
  requests: { input: string; rating?: number; outcome?: string }[],
  userId = owner.id,
) {
  const session = await database.writer.agentSession.create({
    data: { id: newId(), userId, client: "test", startedAt: new Date(), lastSeenAt: new Date() },
  });
  await database.writer.agentStep.createMany({
    data: requests.map(({ input, rating = 0, outcome = "ok" }, index) => ({
      id: newId(),
      sessionId: session.id,
      at: new Date(Date.now() - index * 1000),
      kind: "loaded",
      skillId,
      versionDigest: digest,
      outcome,
      detail: "used",
      surface: "mcp",
      input,
      output: `answer to ${input}`,
      rating,
    })),
  });
}

const numbered = (count: number, text: string) => Array.from({ length: count }, (_, i) => ({ input: `${text} ${i}` }));

test("below twenty traces nothing is proposed, and it says how many there are", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "few_traces" });
  await addTraces(skill.id, skill.digest, numbered(19, "sum the column"));
  await expect(optimizeSkill(owner.ctx, skill.id, bootstrap)).rejects.toMatchObject({
    rule: "too-few-traces",
    message: expect.stringContaining("19"),
  });
  expect((await listOverlays(owner.ctx, ListOverlaysQuery.parse({}), skill.id)).items).toEqual([]);
});

test("the best-rated traces become examples, and agents see the overlay after a reviewer approved it", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "sums_columns" });
  const bytesBefore = await database.reader.versionFile.findMany({ where: { version: { skillId: skill.id } } });
  await addTraces(skill.id, skill.digest, [
    { input: "the worst", rating: -1 },
    { input: "what failed", rating: 1, outcome: "failed" },
    { input: "total of sales", rating: 1 },
    { input: "Total  of sales", rating: 1 },
    ...numbered(20, "sum the column"),
  ]);
  const proposed = await optimizeSkill(owner.ctx, skill.id, bootstrap);
  expect(proposed).toMatchObject({ state: "pending", optimizer: "bootstrap", traceCount: 24, isApplied: false });
  expect(proposed.after.fewShot[0]).toEqual({ input: "total of sales", output: "answer to total of sales" });
  expect(proposed.after.fewShot.map(({ input }) => input)).not.toContain("the worst");
  expect(proposed.after.description).toContain("“total of sales”");
  expect(proposed.evidence).toMatchObject({ ratedUp: 3, ratedDown: 1, failed: 1 });
  const serving = [{ id: skill.id, digest: skill.digest }];
  expect((await activeOverlays(owner.ctx, serving)).size).toBe(0);

  await expect(decideOverlay(owner.ctx, proposed.id, approve)).rejects.toMatchObject({ code: "forbidden" });
  expect(await decideOverlay(reviewer.ctx, proposed.id, approve)).toMatchObject({ state: "approved", isApplied: true });
  expect((await activeOverlays(owner.ctx, serving)).get(skill.id)?.description).toBe(proposed.after.description);
  expect((await activeOverlays(owner.ctx, [{ id: skill.id, digest: "another" }])).size).toBe(0);
  await expect(decideOverlay(reviewer.ctx, proposed.id, approve)).rejects.toMatchObject({ code: "conflict" });
  expect(await database.reader.versionFile.findMany({ where: { version: { skillId: skill.id } } })).toEqual(
    bytesBefore,
  );

  expect(readOverlayToml(await getOverlayToml(owner.ctx, proposed.id), ["sums-columns"])).toMatchObject({
    optimizer: "bootstrap",
    traceCount: 24,
    description: proposed.after.description,
    fewShot: proposed.after.fewShot,
  });
  const withdraw = DecideOverlayInput.parse({ decision: "withdraw" });
  expect(await decideOverlay(owner.ctx, proposed.id, withdraw)).toMatchObject({ state: "withdrawn", isApplied: false });
  expect((await activeOverlays(owner.ctx, serving)).size).toBe(0);
});

test("secret values are in no example, no evidence and no file", async () => {
  const schema = {
    type: "object",
    properties: { text: { type: "string" }, pass: { type: "string", writeOnly: true } },
  };
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "takes_secrets", manifest: { schema } });
  const worker = await testWorker(database);
  for (let n = 0; n < 20; n++) {
    await startRun(owner.ctx, skill.id, { args: { text: `greet ${n}`, pass: `swordfish-${n}` }, wait: 0 });
    for (const lease of await worker.lease()) await worker.complete(lease, {});
  }
  const proposed = await optimizeSkill(owner.ctx, skill.id, bootstrap);
  expect(proposed.after.fewShot[0]?.input).toContain("greet");
  expect(JSON.stringify(proposed)).not.toContain("swordfish");
  expect(await getOverlayToml(owner.ctx, proposed.id)).not.toContain("swordfish");
});

test("it is made from traces that its proposer may read, and others learn of it when agents do", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "used_by_others" });
  await updateSkill(admin.ctx, skill.id, { visibility: "public" });
  const [other, reader] = [await person(), await person()];
  await addTraces(skill.id, skill.digest, numbered(19, "what I asked"), reviewer.id);
  await addTraces(skill.id, skill.digest, numbered(5, "a private matter"), other.id);
  const second = await approvedSkill(owner.ctx, reviewer.ctx, { name: "used_by_strangers" });
  await addTraces(second.id, second.digest, numbered(20, "a private matter"), other.id);
  await expect(optimizeSkill(owner.ctx, second.id, bootstrap)).rejects.toMatchObject({ rule: "too-few-traces" });

  const { id, traceCount } = await optimizeSkill(admin.ctx, skill.id, bootstrap);
  expect(traceCount).toBe(24);
  const list = async (who: typeof owner) => (await listOverlays(who.ctx, ListOverlaysQuery.parse({}), skill.id)).items;
  await expect(getOverlay(reader.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await list(reader)).toEqual([]);
  expect((await list(reviewer))[0]?.evidence.traces).toHaveLength(24);
  await decideOverlay(reviewer.ctx, id, approve);
  expect((await list(reader))[0]).toMatchObject({ state: "approved", evidence: { traces: [] } });
});

test("proposers cannot decide on their own proposal while solo mode is off", async () => {
  const skill = await approvedSkill(reviewer.ctx, (await person("reviewer")).ctx, { name: "own_words" });
  const { id } = await submitOverlay(reviewer.ctx, skill.id, { toml: '[optimized]\ndescription = "Mine."\n' });
  await expect(decideOverlay(reviewer.ctx, id, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
});

test("an overlay made elsewhere is read, waits, and takes the place of the one before", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "made_elsewhere" });
  const toml = `[optimized]
skill_name = "made_elsewhere"
optimizer = "dspy"
optimized_at = "2026-04-08T14:30:00Z"
trace_count = 47
description = "Sums a column of a CSV file."

[[optimized.few_shot]]
input = "sum of sales"
output = "42"
`;
  const first = await submitOverlay(owner.ctx, skill.id, { toml });
  expect(first).toMatchObject({
    state: "pending",
    optimizer: "dspy",
    traceCount: 47,
    optimizedAt: "2026-04-08T14:30:00.000Z",
  });
  await decideOverlay(reviewer.ctx, first.id, approve);
  const second = await submitOverlay(owner.ctx, skill.id, { toml: toml.replace("Sums", "Adds up") });
  await decideOverlay(reviewer.ctx, second.id, approve);
  expect(await getOverlay(owner.ctx, first.id)).toMatchObject({ state: "replaced", isApplied: false });
  const active = await activeOverlays(owner.ctx, [{ id: skill.id, digest: skill.digest }]);
  expect(active.get(skill.id)).toMatchObject({
    description: "Adds up a column of a CSV file.",
    fewShot: [{ input: "sum of sales", output: "42" }],
  });
});

test.each([
  ["not TOML", "= ["],
  ["nothing said", '[optimized]\noptimizer = "dspy"\n'],
  ["too long", `[optimized]\ndescription = "${"x".repeat(1025)}"\n`],
  ["made for another skill", '[optimized]\nskill_name = "another"\ndescription = "Words."\n'],
  ["an empty example", '[optimized]\n[[optimized.few_shot]]\ninput = " "\noutput = "x"\n'],
])("%s is refused and nothing is kept", async (_, toml) => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: `refused_${newId().slice(-8)}` });
  await expect(submitOverlay(owner.ctx, skill.id, { toml })).rejects.toMatchObject({ code: "invalid" });
  expect((await listOverlays(owner.ctx, ListOverlaysQuery.parse({}), skill.id)).items).toEqual([]);
});

const BETTER = "For tables: adds up a column.";
const model = await startModelServer(({ system, last }) => {
  if (system.includes("New Value")) return { text: `newValue: ${BETTER}` };
  if (system.includes("Should Use")) {
    const isForTables = system.includes(BETTER) && last.includes("sum the column");
    return { text: `shouldUse: ${isForTables ? "yes" : "no"}` };
  }
  return { text: "Feedback: it should speak of tables." };
});
afterAll(model.close);

test("GEPA finds a description by which a model chooses better, and reports the scores", async () => {
  await createEndpoint(
    admin.ctx,
    CreateModelEndpointInput.parse({ name: "scripted", kind: "openai", baseUrl: model.url, models: ["m"] }),
  );
  const [skill, other] = [
    await approvedSkill(owner.ctx, reviewer.ctx, { name: "evolves" }),
    await approvedSkill(owner.ctx, reviewer.ctx, { name: "the_other" }),
  ];
  await addTraces(skill.id, skill.digest, numbered(20, "sum the column"));
  await addTraces(other.id, other.digest, numbered(8, "translate the letter"));
  const { overlay, work } = await beginOptimizing(owner.ctx, skill.id, OptimizeInput.parse({ optimizer: "gepa" }));
  expect(overlay.state).toBe("working");
  await expect(beginOptimizing(owner.ctx, skill.id, OptimizeInput.parse({ optimizer: "gepa" }))).rejects.toMatchObject({
    code: "conflict",
  });
  await work;
  const done = await getOverlay(owner.ctx, overlay.id);
  expect(done).toMatchObject({
    state: "pending",
    after: { description: BETTER },
    evidence: { score: { after: 1, model: "m" } },
  });
  expect(done.evidence.score?.before).toBeLessThan(1);
});

test("a model that fails leaves a proposal that says so", async () => {
  const broken = await startModelServer(() => ({ status: 401, body: '{"error":{"message":"bad key"}}' }));
  const endpoint = await createEndpoint(
    admin.ctx,
    CreateModelEndpointInput.parse({ name: "broken", kind: "openai", baseUrl: broken.url, models: ["m"] }),
  );
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "stays_as_it_is" });
  await addTraces(skill.id, skill.digest, numbered(20, "sum the column"));
  const input = OptimizeInput.parse({ optimizer: "gepa", endpointId: endpoint.id });
  const { overlay, work } = await beginOptimizing(owner.ctx, skill.id, input);
  await work;
  await broken.close();
  expect(await getOverlay(owner.ctx, overlay.id)).toMatchObject({
    state: "failed",
    error: expect.stringContaining("failed: bad key"),
  });
});
