import { expect, test } from "vitest";
import { ApprovalBundle, ReviewKeyList, ReviewPage } from "@/lib/review/schema";
import { verifyBundle } from "@/lib/review/verify/verify-export";
import { Version, VersionDiff } from "@/lib/skills/versions/schema";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person } = await testServer(ROUTE_TABLE);
const [admin, owner, first, second] = [
  await person("admin"),
  await person("user"),
  await person("reviewer"),
  await person("reviewer"),
];
await call("PATCH", "/api/admin/settings", { token: admin.token, json: { soloMode: false } });

async function bringIn(files: Parameters<typeof zipUpload>[1]): Promise<string> {
  const { filename, bytes } = await zipUpload("pack", files);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: owner.token, body: form });
  const [skill] = (await imported.json()).skills;
  return `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}`;
}

const decide = (version: string, token: string, json: Record<string, unknown> = {}) =>
  call("POST", `${version}/decisions`, { token, json: { decision: "approve", comment: "Read.", ...json } });

test("import, a look, two signatures, on, revoked: the whole way over the API", async () => {
  const address = await bringIn(packFiles({ name: "whole_way", manifest: { class: "dangerous" } }));
  const skill = address.split("/versions/")[0] ?? "";
  const version = Version.parse(await (await call("GET", address, { token: first.token })).json());
  expect(version).toMatchObject({ scan: { state: "complete" }, approvals: { given: 0, needed: 2 }, class: null });
  const queue = ReviewPage.parse(await (await call("GET", "/api/reviews", { token: first.token })).json());
  expect(queue.items.map(({ digest }) => digest)).toContain(version.digest);

  expect(await (await decide(address, first.token)).json()).toMatchObject({
    state: "pending",
    approvals: { given: 1 },
  });
  expect((await call("PATCH", skill, { token: owner.token, json: { enabled: true } })).status).toBe(409);
  expect((await decide(address, first.token)).status).toBe(403);
  expect((await call("GET", `${address}/approval`, { token: first.token })).status).toBe(404);
  expect(await (await decide(address, second.token)).json()).toMatchObject({
    state: "approved",
    trust: { tier: "workspace", signature: "verified" },
  });
  expect(await (await call("PATCH", skill, { token: owner.token, json: { enabled: true } })).json()).toMatchObject({
    enabled: true,
    trust: { signature: "verified" },
  });

  const bundle = ApprovalBundle.parse(await (await call("GET", `${address}/approval`, { token: owner.token })).json());
  const keys = ReviewKeyList.parse(await (await call("GET", "/api/review-keys", { token: owner.token })).json());
  expect(verifyBundle(bundle, keys.items[0]?.keyId).problem).toBeNull();

  const revoked = await decide(address, second.token, { decision: "revoke", comment: "A hole." });
  expect(await revoked.json()).toMatchObject({ state: "revoked", trust: { signature: "unsigned" } });
  expect(await (await call("GET", skill, { token: owner.token })).json()).toMatchObject({
    enabled: false,
    currentVersion: null,
    trust: { tier: "unreviewed" },
  });
});

test.each([
  ["a host with a scheme", { grants: { network: ["https://example.org"] } }],
  ["a host with a path", { grants: { network: ["example.org/x"] } }],
  ["a relative path", { grants: { paths: [{ path: "srv", mode: "ro" }] } }],
  ["a path that climbs", { grants: { paths: [{ path: "/srv/../etc", mode: "ro" }] } }],
  ["an unknown namespace", { grants: { namespaces: ["moon"] } }],
  ["an unknown capability", { grants: { capabilities: ["CAP_FLY"] } }],
  ["an unknown grant", { grants: { gpu: true } }],
  ["a writable path for a safe skill", { grants: { paths: [{ path: "/srv", mode: "rw" }] } }],
  ["an unknown class", { class: "harmless" }],
])("%s answers 422 and decides nothing", async (_title, json) => {
  const address = await bringIn(packFiles({ name: "refused_terms" }));
  expect((await decide(address, first.token, json)).status).toBe(422);
  expect(await (await call("GET", address, { token: first.token })).json()).toMatchObject({
    state: "pending",
    decisions: [],
  });
});

test("of two who decide at once one is answered 200, the other 409 with the name of the first", async () => {
  const address = await bringIn(packFiles({ name: "at_once", manifest: { class: "mutating" } }));
  const answers = await Promise.all([
    decide(address, first.token),
    decide(address, second.token, { grants: { network: true } }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const lost = await answers.find(({ status }) => status === 409)?.json();
  expect(lost).toMatchObject({ code: "conflict", detail: expect.stringContaining("Test reviewer decided on it") });
});

test("only reviewers dismiss and reopen a finding", async () => {
  const address = await bringIn(playbookFiles({ name: "found", body: "Tidy.\u{E0049}\u{E0067}\n" }));
  const version = Version.parse(await (await call("GET", address, { token: first.token })).json());
  const place = `${address}/findings/${version.findings[0]?.fingerprint}/dismiss`;
  const json = { reason: "An example." };
  expect((await call("POST", place, { token: owner.token, json })).status).toBe(403);
  expect((await call("POST", place, { token: first.token, json: { reason: " " } })).status).toBe(422);
  expect((await call("POST", `${address}/findings/nothing/dismiss`, { token: first.token, json })).status).toBe(404);
  const dismissed = Version.parse(await (await call("POST", place, { token: first.token, json })).json());
  expect(dismissed.findings[0]?.dismissed?.reason).toBe("An example.");
  const open = Version.parse(await (await call("DELETE", place, { token: second.token })).json());
  expect(open.findings[0]?.dismissed).toBeNull();
});

test("a difference to the approved version is as the schema says", async () => {
  const before = await bringIn(packFiles({ name: "differs" }));
  expect((await decide(before, first.token)).status).toBe(200);
  const after = await bringIn(packFiles({ name: "differs", script: "#!/bin/sh\ncat\ntrue\n" }));
  await call("GET", after, { token: first.token });
  await call("GET", before, { token: first.token });
  const diff = VersionDiff.parse(await (await call("GET", `${after}/diff`, { token: first.token })).json());
  expect(diff.files.map(({ path, hunks }) => [path, hunks?.flatMap(({ lines }) => lines)])).toEqual([
    ["run.sh", [" #!/bin/sh", " cat", "+true"]],
  ]);
  expect(diff).toMatchObject({ grants: [], class: { changed: false }, findings: { added: [], removed: [] } });
});
