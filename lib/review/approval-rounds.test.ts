import { expect, test } from "vitest";
import { updateSettings } from "@/lib/settings/update-settings";
import type { SkillClass } from "@/lib/skill-format/schema";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { requireSkill } from "@/lib/skills/skill-access";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { listVersions } from "@/lib/skills/versions/list-versions";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "./decide-version";
import { listReviews } from "./review-queue";
import { requireApproved } from "./run-approval";
import { listReviewKeys } from "./signatures";

const { person } = await testDatabase();
const admin = await person("admin", "Tomas");
await updateSettings(admin.ctx, { soloMode: false });
const user = await person("user", "Priya");
const importer = await person("reviewer", "Mara");
const first = await person("reviewer", "Ben");
const second = await person("reviewer", "Aiko");

const approve = { decision: "approve", comment: "" } as const;
type Ctx = typeof user.ctx;
let count = 0;

async function bringIn(ctx: Ctx, { declared, owner = "me" }: { declared?: SkillClass; owner?: "me" | "org" } = {}) {
  count += 1;
  const files = packFiles({ name: `pack_${count}`, manifest: { class: declared } });
  const [skill] = (await importSkills(ctx, { ...(await zipUpload("pack", files)), owner })).skills;
  const digest = skill?.pendingVersion?.digest;
  if (!skill || !digest) throw new Error("not imported");
  return { id: skill.id, digest };
}

/** Each row: declared and chosen class, the signers in order, and the result of each attempt. */
test.each<[declared: SkillClass | undefined, chosen: SkillClass | undefined, attempts: [keyof typeof WHO, string][]]>([
  ["safe", undefined, [["first", "approved"]]],
  [
    "safe",
    undefined,
    [
      ["importer", "separation_of_duties"],
      ["user", "forbidden"],
      ["second", "approved"],
    ],
  ],
  [
    "mutating",
    undefined,
    [
      ["importer", "separation_of_duties"],
      ["user", "forbidden"],
      ["first", "approved"],
    ],
  ],
  [
    "mutating",
    "safe",
    [
      ["importer", "separation_of_duties"],
      ["user", "forbidden"],
      ["first", "approved"],
    ],
  ],
  [
    "dangerous",
    undefined,
    [
      ["importer", "separation_of_duties"],
      ["first", "pending"],
      ["first", "separation_of_duties"],
      ["second", "approved"],
    ],
  ],
  [
    "dangerous",
    "safe",
    [
      ["first", "pending"],
      ["importer", "separation_of_duties"],
      ["second", "approved"],
    ],
  ],
  [
    "dangerous",
    "mutating",
    [
      ["first", "pending"],
      ["second", "approved"],
    ],
  ],
  [
    "safe",
    "dangerous",
    [
      ["importer", "separation_of_duties"],
      ["first", "pending"],
      ["second", "approved"],
    ],
  ],
  [
    "mutating",
    "dangerous",
    [
      ["first", "pending"],
      ["admin", "approved"],
    ],
  ],
  [undefined, undefined, [["first", "approved"]]],
  [
    undefined,
    "dangerous",
    [
      ["first", "pending"],
      ["second", "approved"],
    ],
  ],
])("declared %s, approved as %s", async (declared, chosen, attempts) => {
  const { id, digest } = await bringIn(importer.ctx, { ...(declared ? { declared } : {}), owner: "org" });
  for (const [who, expected] of attempts) {
    const outcome = await decideVersion(WHO[who].ctx, id, digest, {
      ...approve,
      ...(chosen ? { class: chosen } : {}),
    }).then(
      (version) => version.state,
      (error: { code: string }) => error.code,
    );
    expect([who, outcome]).toEqual([who, expected]);
  }
  expect((await getVersion(user.ctx, id, digest)).class).toBe(chosen ?? declared ?? "safe");
});
const WHO = { user, importer, first, second, admin };

test("all signers sign the same subject, each with their own verifiable signature", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "dangerous" });
  const terms = { ...approve, grants: { network: ["example.org"], timeoutSeconds: 60 } };
  const half = await decideVersion(first.ctx, id, digest, terms);
  expect(half.approvals).toMatchObject({ given: 1, needed: 2, by: [{ name: "Ben" }], terms: { class: "dangerous" } });
  expect(half.trust).toEqual({ tier: "unreviewed", signature: "unsigned", problem: null });
  const whole = await decideVersion(second.ctx, id, digest, terms);
  expect(whole.trust).toEqual({ tier: "workspace", signature: "verified", problem: null });
  const [a, b] = whole.decisions;
  expect(a?.subject).toBe(whole.subject);
  expect(b?.subject).toBe(whole.subject);
  expect(a?.signature).not.toBe(b?.signature);
  const key = (await listReviewKeys(user.ctx)).items[0];
  expect([a, b].map((decision) => [decision?.keyId, decision?.standing, decision?.trust.signature])).toEqual([
    [key?.keyId, "counts", "verified"],
    [key?.keyId, "counts", "verified"],
  ]);
  expect((await getSkill(importer.ctx, id)).trust).toMatchObject({ tier: "workspace", signature: "verified" });
  const history = await listVersions(importer.ctx, id, { limit: 10 });
  expect(history.items[0]?.decisions.map(({ actor }) => actor.name)).toEqual(["Ben", "Aiko"]);
});

test("other terms for an approved version start a new round; the old ones apply until it is complete", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "dangerous" });
  for (const { ctx } of [first, second]) await decideVersion(ctx, id, digest, approve);
  await updateSkill(importer.ctx, id, { enabled: true });
  const old = await getVersion(user.ctx, id, digest).catch(() => getVersion(importer.ctx, id, digest));
  const terms = { ...approve, grants: { network: true } };
  const opened = await decideVersion(first.ctx, id, digest, terms);
  expect(opened).toMatchObject({ state: "approved", subject: old.subject, approvals: { given: 1, needed: 2 } });
  expect(opened.trust.signature).toBe("verified");
  const queued = (await listReviews(second.ctx, { limit: 100 })).items.find((item) => item.digest === digest);
  expect(queued).toMatchObject({ reason: "terms", approvals: { given: 1, needed: 2 } });
  const served = await requireApproved(importer.ctx, await requireSkill(importer.ctx, id));
  expect(served.grants.network).toBeUndefined();
  const done = await decideVersion(second.ctx, id, digest, terms);
  expect(done.decisions.map(({ standing }) => standing)).toEqual(["void", "void", "counts", "counts"]);
  const now = await requireApproved(importer.ctx, await requireSkill(importer.ctx, id));
  expect(now.grants.network).toBe(true);
  expect(now.subject).not.toBe(old.subject);
  expect(await getSkill(importer.ctx, id)).toMatchObject({ enabled: true, trust: { signature: "verified" } });
});

test("declining closes a round of other terms and keeps the current terms", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "dangerous" });
  for (const { ctx } of [first, second]) await decideVersion(ctx, id, digest, approve);
  const before = await getVersion(importer.ctx, id, digest);
  await decideVersion(first.ctx, id, digest, { ...approve, class: "safe" });
  const after = await decideVersion(second.ctx, id, digest, { decision: "reject", comment: "it does delete things" });
  expect(after).toMatchObject({ state: "approved", subject: before.subject, class: "dangerous" });
  expect(after.approvals).toMatchObject({ given: 2, needed: 2, terms: null });
  await expect(decideVersion(second.ctx, id, digest, { decision: "reject", comment: "again" })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("signing the same terms again is a conflict that names the earlier signer", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "mutating" });
  await decideVersion(first.ctx, id, digest, approve);
  await expect(decideVersion(second.ctx, id, digest, approve)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("Ben decided on it"),
  });
});

test("a decision on an outdated state is refused, also with other terms", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "mutating" });
  await decideVersion(first.ctx, id, digest, approve);
  const late = { ...approve, grants: { network: true }, expects: "pending" } as const;
  await expect(decideVersion(second.ctx, id, digest, late)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("Ben"),
  });
  expect((await getVersion(importer.ctx, id, digest)).grants?.network).toBeUndefined();
});

test("of many concurrent decisions with different terms one wins, and each other answer names its author", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "mutating" });
  const inputs = [
    [first, approve],
    [second, { ...approve, grants: { network: true } }],
    // Each completes its round: as dangerous it would be the first of two, which another decision may follow.
    [admin, { ...approve, grants: { timeoutSeconds: 9 } }],
    [first, { decision: "reject" as const, comment: "no" }],
    [second, { decision: "request_changes" as const, comment: "not yet" }],
  ] as const;
  const results = await Promise.allSettled(inputs.map(([who, input]) => decideVersion(who.ctx, id, digest, input)));
  const winner = results.findIndex(({ status }) => status === "fulfilled");
  const name = inputs[winner]?.[0].actor.name;
  for (const [index, result] of results.entries()) {
    if (index === winner) continue;
    expect(result).toMatchObject({ reason: { code: "conflict", message: expect.stringContaining(`${name} decided`) } });
  }
  expect((await getVersion(importer.ctx, id, digest)).decisions).toHaveLength(1);
});

test("class and grants default to what is declared, never network; a missing class is reported", async () => {
  count += 1;
  const files = packFiles({
    name: `pack_${count}`,
    manifest: { class: undefined, env_allow: ["TZ"], timeout_seconds: 9 },
  });
  const [skill] = (await importSkills(importer.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  const version = await decideVersion(first.ctx, skill?.id ?? "", digest, approve);
  expect(version.grants).toEqual({ env: ["TZ"], timeoutSeconds: 9 });
  expect(version.manifest.declaredClass).toBeNull();
  expect(version.proposedClassReason).toContain("not declared");
});

test.each([
  ["a writable path for a safe skill", { paths: [{ path: "/srv/data", mode: "rw" as const }] }, "grants.paths.0.mode"],
  ["a variable that is never handed out", { env: ["TZ", "SKILLGATE_ADMIN_TOKEN"] }, "grants.env.1"],
])("%s cannot be granted", async (_title, grants, path) => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "safe" });
  await expect(decideVersion(first.ctx, id, digest, { ...approve, grants })).rejects.toMatchObject({
    code: "invalid",
    errors: [expect.objectContaining({ path })],
  });
  const readOnly = {
    paths: [{ path: "/srv/data", mode: "ro" as const }],
    capabilities: ["net_raw"],
    namespaces: ["network" as const],
  };
  const version = await decideVersion(first.ctx, id, digest, { ...approve, grants: readOnly });
  expect(version.grants).toMatchObject({ capabilities: ["CAP_NET_RAW"], namespaces: ["net"] });
});

test("the policy is a setting: three people for dangerous versions, and no owner alone", async () => {
  await updateSettings(admin.ctx, { signaturesForDangerous: 3, ownerMayApproveSafe: false });
  const { id, digest } = await bringIn(importer.ctx, { declared: "dangerous" });
  for (const [who, state] of [
    [first, "pending"],
    [second, "pending"],
    [admin, "approved"],
  ] as const) {
    expect((await decideVersion(who.ctx, id, digest, approve)).state).toBe(state);
  }
  const safe = await bringIn(user.ctx, { declared: "safe" });
  await expect(decideVersion(user.ctx, safe.id, safe.digest, approve)).rejects.toMatchObject({
    code: "separation_of_duties",
  });
  await updateSettings(admin.ctx, { signaturesForDangerous: 2, ownerMayApproveSafe: true });
  expect((await decideVersion(user.ctx, safe.id, safe.digest, approve)).state).toBe("approved");
});

test("a playbook with inline commands is proposed as mutating and needs another person", async () => {
  const files = playbookFiles({ name: "inline", body: "Now: !`git status`\n" });
  const [skill] = (await importSkills(user.ctx, { ...(await zipUpload("inline", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  await expect(decideVersion(user.ctx, skill?.id ?? "", digest, approve)).rejects.toMatchObject({
    code: "separation_of_duties",
  });
  expect(await decideVersion(first.ctx, skill?.id ?? "", digest, approve)).toMatchObject({ class: "mutating" });
});

test("revoking voids the signatures; the version is unreviewed and the skill has no active version", async () => {
  const { id, digest } = await bringIn(importer.ctx, { declared: "mutating" });
  await decideVersion(first.ctx, id, digest, approve);
  await updateSkill(importer.ctx, id, { enabled: true });
  const revoked = await decideVersion(second.ctx, id, digest, { decision: "revoke", comment: "a hole" });
  expect(revoked).toMatchObject({ state: "revoked", trust: { tier: "unreviewed", signature: "unsigned" } });
  expect(revoked.decisions.map(({ standing }) => standing)).toEqual(["void", null]);
  const skill = await requireSkill(importer.ctx, id);
  await expect(requireApproved(importer.ctx, skill)).rejects.toMatchObject({ code: "not_approved" });
});
