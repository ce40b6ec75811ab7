import { expect, test } from "vitest";
import { ListUpdatesQuery } from "@/lib/skills/community/schema";
import { listUpdates } from "@/lib/skills/community/updates";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { exportSkill, exportSkills } from "@/lib/skills/transfer/export-skills";
import { ExportQuery } from "@/lib/skills/transfer/schema";
import { getVersionFile } from "@/lib/skills/versions/get-version-file";
import { agentOf } from "@/lib/testing/agent-of";
import { packFiles, playbookFiles } from "@/lib/testing/sample-packs";
import { distributionWorld } from "./testing/distribution-world";

const { ask, person, admin, publish, readIndex } = await distributionWorld();
const owner = await person();
const steps = (tool: string) => `steps:\n  - tool_name: ${tool}\n    arguments_template: '{"text": "{text}"}'\n`;
const pipeline = (name: string, tool: string) =>
  publish(owner, { name, files: playbookFiles({ name, more: steps(tool) }), visibility: "private" });
await publish(owner, { name: "reads", files: packFiles({ name: "reads" }), visibility: "private" });
await publish(owner, {
  name: "writes",
  files: packFiles({ name: "writes", manifest: { class: "mutating" } }),
  visibility: "private",
});
await publish(owner, {
  name: "breaks",
  files: packFiles({ name: "breaks", manifest: { class: "dangerous" } }),
  visibility: "private",
});
const calm = await pipeline("then-reads", "reads");
const changing = await pipeline("then-writes", "writes");
const wild = await pipeline("then-breaks", "breaks");

test.each([
  ["read-only", ["then-reads"]],
  ["mutating-with-confirm", ["then-reads", "then-writes"]],
  ["dual-sign-required", ["then-breaks", "then-reads", "then-writes"]],
] as const)("every list judges a pipeline by the class of its steps: %s", async (permissionMode, names) => {
  const { ctx, persona } = await agentOf(admin.ctx, owner, { permissionMode });
  const pipelines = (found: { name: string }[]) =>
    found.flatMap(({ name }) => (name.startsWith("then-") ? name : [])).sort();
  const { items } = await listSkills(ctx, ListSkillsQuery.parse({}));
  expect(pipelines(items)).toEqual(names);
  const updates = await listUpdates(ctx, ListUpdatesQuery.parse({}));
  expect(pipelines(updates.items.map(({ skill }) => skill))).toEqual(names);
  expect(pipelines((await exportSkills(ctx, {})).manifest.skills)).toEqual(names);
  const json = { name: "laptop", persona: persona.id };
  const made = await ask("/api/capability-urls", { method: "POST", token: owner.token, json });
  const { url } = (await made.json()) as { url: string };
  const below = new URL(url).pathname;
  expect(pipelines((await readIndex(below)).skills)).toEqual(names);
  const all = { "then-reads": calm, "then-writes": changing, "then-breaks": wild };
  for (const [name, { id, digest }] of Object.entries(all)) {
    const isAllowed = names.some((one) => one === name);
    expect((await ask(`${below}/a/${name}/${digest}.zip`)).status, name).toBe(isAllowed ? 200 : 404);
    const reads = [
      () => exportSkill(ctx, id, ExportQuery.parse({})),
      () => exportSkills(ctx, { skills: [id] }),
      () => getVersionFile(ctx, id, digest, "SKILL.md"),
    ];
    for (const read of reads) {
      if (isAllowed) expect(await read()).toBeDefined();
      else await expect(read()).rejects.toMatchObject({ code: "forbidden", rule: "persona-mode" });
    }
  }
});
