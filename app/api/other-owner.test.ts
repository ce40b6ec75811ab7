import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import type { RouteHandler } from "@/lib/http/route";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const { call, person, database } = await testServer(ROUTE_TABLE);
const [owner, reviewer, stranger] = [await person("user"), await person("reviewer"), await person("user")];

async function ask(method: string, address: string, token: string, json?: unknown) {
  const response = await call(method, address, { token, ...(json === undefined ? {} : { json }) });
  if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Creates one object of each kind that has an owner. */
async function belongings() {
  const { filename, bytes } = await zipUpload("pack", packFiles({ name: "private_pack" }));
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: owner.token, body: form });
  const [skill] = (await imported.json()).skills;
  const { digest } = skill.pendingVersion;
  const decision = { decision: "approve", comment: "Read." };
  await ask("POST", `/api/skills/${skill.id}/versions/${digest}/decisions`, reviewer.token, decision);
  await ask("PATCH", `/api/skills/${skill.id}`, owner.token, { enabled: true });
  const run = await ask("POST", `/api/skills/${skill.id}/runs`, owner.token, { args: { text: "x" } });
  const token = await ask("POST", "/api/tokens", owner.token, { name: "mine", scopes: ["read"] });
  const [session, at] = [newId(), new Date()];
  const expiresAt = new Date(at.getTime() + 3_600_000);
  await database.writer.session.create({
    data: { id: session, userId: owner.id, createdAt: at, lastSeenAt: at, expiresAt },
  });
  return {
    skill: skill.id as string,
    digest: digest as string,
    run: run.id as string,
    token: token.id as string,
    session,
  };
}

const theirs = await belongings();

/** A valid body for each route, so that the refusal comes from the owner check and not from validation. */
const BODIES: Record<string, unknown> = {
  "PATCH /api/skills/[id]": { category: "x" },
  "POST /api/skills/[id]/runs": { args: { text: "x" } },
  "POST /api/skills/[id]/versions": {
    files: [{ path: "SKILL.md", text: "---\nname: x\ndescription: y\n---\n" }],
    baseDigest: theirs.digest,
  },
  "POST /api/skills/[id]/versions/[digest]/decisions": { decision: "approve", comment: "" },
  "POST /api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss": { reason: "It is fine." },
  "POST /api/skills/[id]/versions/[digest]/attestation/ssh-signatures": {
    signature: "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n",
  },
  "POST /api/skills/[id]/deprecate": { reason: "Old." },
  "POST /api/skills/[id]/overlays": { toml: '[optimized]\ndescription = "Other words."\n' },
  "POST /api/skills/[id]/reports": { reason: "other", text: "Look at it." },
  "PUT /api/skills/[id]/versions/[digest]/changelog": { changelog: "New." },
  "POST /api/runs/[id]/decisions": { decision: "approve", comment: "" },
};

const ID_OF: [prefix: string, id: string][] = [
  ["/api/skills/", theirs.skill],
  ["/api/runs/", theirs.run],
  ["/api/tokens/", theirs.token],
  ["/api/sessions/", theirs.session],
];

const cases = ROUTE_TABLE.flatMap(([path, module]) =>
  METHODS.flatMap((method) => {
    const definition = (module[method] as RouteHandler | undefined)?.definition;
    const id = ID_OF.find(([prefix]) => path.startsWith(`${prefix}[id]`))?.[1];
    return definition && id !== undefined ? [{ method, path, definition, id }] : [];
  }),
);

/** Uses a signed-in browser, so that routes that need a session accept the stranger. */
const sid = newId();
const at = new Date();
const times = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 3_600_000) };
await database.writer.session.create({ data: { id: sid, userId: stranger.id, ...times } });
const cookie = await encode({ token: { uid: stranger.id, sid }, secret: process.env.NEXTAUTH_SECRET ?? "" });
const browser = { cookie: `next-auth.session-token=${cookie}`, "sec-fetch-site": "same-origin" };

test("an owner reads their own objects", async () => {
  for (const [prefix, id] of ID_OF.slice(0, 3)) await ask("GET", `${prefix}${id}`, owner.token);
  expect(cases.length).toBeGreaterThan(15);
});

test.each(cases)("$method $path of another owner is not there", async ({ method, path, definition, id }) => {
  const address = path
    .replace("[id]", id)
    .replace("[digest]", theirs.digest)
    .replace("[...path]", "skill.json")
    .replace("[fingerprint]", "0".repeat(64));
  const body = definition.body === undefined ? {} : { json: BODIES[`${method} ${path}`] ?? {} };
  const response = await call(method, address, { headers: browser, ...body });
  const hint = `answered ${response.status}; a 422 means that BODIES lacks a body this route accepts`;
  expect([403, 404], hint).toContain(response.status);
});

test("the stranger has changed nothing", async () => {
  const skill = await ask("GET", `/api/skills/${theirs.skill}`, owner.token);
  expect(skill).toMatchObject({ enabled: true, currentVersion: { digest: theirs.digest } });
  expect(await ask("GET", `/api/runs/${theirs.run}`, owner.token)).toMatchObject({ state: "queued" });
  expect(await database.reader.session.findUnique({ where: { id: theirs.session } })).toMatchObject({
    revokedAt: null,
  });
});
