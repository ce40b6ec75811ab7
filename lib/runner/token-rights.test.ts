import { expect, test } from "vitest";
import { listEvents } from "@/lib/audit/list-events";
import { listAuditFacets } from "@/lib/audit/list-facets";
import { ListAuditQuery } from "@/lib/audit/schema";
import type { Ctx } from "@/lib/db/context";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { listApprovals } from "./approvals/list-approvals";
import { getRun } from "./runs/get-run";
import { listRuns } from "./runs/list-runs";
import { startRun } from "./runs/start-run";
import { ListApprovalsQuery, ListRunsQuery } from "./schema";

const { person } = await testDatabase();
const [admin, reviewer, owner] = [await person("admin"), await person("reviewer"), await person("user")];
// A reviewer without any action on the skill, since people can always read their own actions.
const colleague = await person("reviewer");
const secret = await approvedSkill(owner.ctx, reviewer.ctx, {
  name: "private_of_owner",
  manifest: { class: "mutating" },
});
const asking = await agentOf(admin.ctx, owner, { permissionMode: "mutating-with-confirm" });
const started = await startRun(asking.ctx, secret.id, { args: { text: "x" }, wait: 0 });
const run = "run" in started ? started.run.id : "";

const everything = ["read", "run", "write", "review", "admin"] as const;
const agentOfAdmin = await agentOf(admin.ctx, admin, { permissionMode: "read-only", scopes: ["read", "run", "write"] });
const agentOfReviewer = await agentOf(admin.ctx, colleague, { permissionMode: "read-only", scopes: ["read", "write"] });

/** Whether the caller can read the owner's private data, for each way to read it. */
async function reads(ctx: Ctx): Promise<boolean[]> {
  const opens = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: "not_found" });
        return false;
      },
    );
  const runs = await listRuns(ctx, ListRunsQuery.parse({}));
  const approvals = await listApprovals(ctx, ListApprovalsQuery.parse({ show: "all" }));
  const events = await listEvents(ctx, ListAuditQuery.parse({ skill: secret.id }));
  const facets = await listAuditFacets(ctx);
  const skills = await listSkills(ctx, ListSkillsQuery.parse({}));
  return [
    await opens(getRun(ctx, run)),
    await opens(getSkill(ctx, secret.id)),
    await opens(getSkill(ctx, "private_of_owner")),
    runs.items.some(({ id }) => id === run),
    approvals.items.some(({ id }) => id === run),
    events.items.length > 0,
    JSON.stringify(facets).includes("private_of_owner"),
    skills.items.some(({ id }) => id === secret.id),
  ];
}

test.each([
  ["an admin", admin.ctx],
  ["a reviewer", reviewer.ctx],
  ["a reviewer’s token with review", reviewer.token(["read", "review"])],
  ["an admin’s token with admin", admin.token(["read", "admin"])],
])("%s reads what belongs to others", async (_who, ctx) => {
  expect(new Set(await reads(ctx))).toEqual(new Set([true]));
});

test.each([
  ["an admin’s agent", agentOfAdmin.ctx],
  ["a reviewer’s agent", agentOfReviewer.ctx],
  ["an agent whose token was once given everything", admin.token([...everything], agentOfAdmin.persona.id)],
  ["a reviewer’s token without review", colleague.token(["read", "run", "write"])],
  ["an admin’s token without review and admin", admin.token(["read", "run", "write"])],
])("%s reads nothing that belongs to others", async (_who, ctx) => {
  expect(new Set(await reads(ctx))).toEqual(new Set([false]));
});

test("who neither reviews nor administers by what they act with changes nothing of the organisation’s", async () => {
  const upload = await zipUpload("shared", playbookFiles({ name: "shared-one" }));
  const [shared] = (await importSkills(reviewer.token(["write", "read", "review"]), { ...upload, owner: "org" }))
    .skills;
  if (!shared) throw new Error("nothing was imported");
  const weak = [
    agentOfAdmin.ctx,
    agentOfReviewer.ctx,
    reviewer.token(["read", "write"]),
    admin.token(["read", "write"]),
  ];
  for (const ctx of weak) {
    await expect(updateSkill(ctx, shared.id, { pinned: true })).rejects.toMatchObject({ code: "forbidden" });
    await expect(deleteSkill(ctx, shared.id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(importSkills(ctx, { ...upload, owner: "org" })).rejects.toMatchObject({ rule: "scope-review" });
  }
  expect(await updateSkill(reviewer.ctx, shared.id, { pinned: true })).toMatchObject({ pinned: true });
});

test("a dry run of what the lists of a persona keep away answers which list does", async () => {
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "kept_away" });
  const asked = { args: { text: "x" }, wait: 0, dryRun: true };
  const denied = await agentOf(admin.ctx, owner, { permissionMode: "read-only", deny: ["kept*"] });
  const unnamed = await agentOf(admin.ctx, owner, { permissionMode: "read-only", allow: ["ok-*"] });
  for (const [agent, rule] of [
    [denied, "persona-deny"],
    [unnamed, "persona-allow"],
  ] as const) {
    expect(await startRun(agent.ctx, skill.id, asked)).toMatchObject({
      dryRun: { ok: false, outcome: "refuse", rule },
    });
    await expect(startRun(agent.ctx, skill.id, { ...asked, dryRun: false })).rejects.toMatchObject({ rule });
  }
  const stranger = await agentOf(admin.ctx, await person(), { permissionMode: "read-only", deny: ["kept*"] });
  await expect(startRun(stranger.ctx, skill.id, asked)).rejects.toMatchObject({ code: "not_found" });
});
