import { expect, test } from "vitest";
import { browserOf } from "@/lib/testing/browser-of";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const admin = await person("admin");
const policy = (soloMode: boolean) =>
  call("PATCH", "/api/admin/settings", { token: admin.token, json: { soloMode } }).then(({ status }) =>
    expect(status).toBe(200),
  );
await policy(false);
const json = { name: "deploy-key", description: "", value: "a secret value" };
expect((await call("POST", "/api/admin/credentials", { token: admin.token, json })).status).toBe(201);

/** A person in a browser, since owners can sign in a browser only. */
async function browser(role: "user" | "reviewer" | "admin") {
  const { id } = await person(role);
  return { id, headers: await browserOf(database, id) };
}
type Person = Awaited<ReturnType<typeof browser>>;

let count = 0;

/** Imports files as this person and returns the address of the version. */
async function bringIn(owner: Person, files: ReturnType<typeof packFiles>): Promise<string> {
  const { filename, bytes } = await zipUpload("pack", files);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { headers: owner.headers, body: form });
  const [skill] = (await imported.json()).skills;
  return `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}`;
}

async function ownPack(owner: Person, manifest: Record<string, unknown> = {}): Promise<string> {
  count += 1;
  return bringIn(owner, packFiles({ name: `own_${count}`, manifest }));
}

const approve = (version: string, { headers }: Person, given: object = {}) =>
  call("POST", `${version}/decisions`, { headers, json: { decision: "approve", comment: "t", ...given } });

/** A playbook that its author declares safe and that contains a script. */
function scripted() {
  count += 1;
  const [marker] = playbookFiles({ name: `scripted-${count}`, more: "class: safe\n" });
  if (!marker) throw new Error("no SKILL.md");
  const script = { path: "count.sh", mode: "755" as const, bytes: new TextEncoder().encode("#!/bin/sh\necho 1\n") };
  return [marker, script];
}

const KINDS: [kind: string, given: object, named: string][] = [
  ["the network", { grants: { network: true } }, "the network"],
  ["a host", { grants: { network: ["example.org"] } }, "the host example.org"],
  ["a path to read", { grants: { paths: [{ path: "/data", mode: "ro" }] } }, "the path /data (read)"],
  ["a path to write", { grants: { paths: [{ path: "/data", mode: "rw" }] } }, "the path /data (read and write)"],
  ["a capability", { grants: { capabilities: ["CAP_DAC_READ_SEARCH"] } }, "the capability CAP_DAC_READ_SEARCH"],
  ["a namespace", { grants: { namespaces: ["net"] } }, "the host’s net namespace"],
  [
    "a credential as a variable",
    { grants: { credentials: [{ slot: "t", credential: "deploy-key", as: "env", name: "T" }] } },
    "credential",
  ],
  [
    "a credential as a file",
    { grants: { credentials: [{ slot: "t", credential: "deploy-key", as: "file", name: "t.txt" }] } },
    "credential",
  ],
  ["an environment name", { grants: { env: ["API_KEY"] } }, "the environment variable API_KEY"],
  ["a workspace", { grants: { workspace: true } }, "a workspace"],
  ["tools", { grants: { tools: ["Bash(git:*)"] } }, "the tool Bash(git:*)"],
  ["scripts", { grants: { scripts: true } }, "its scripts"],
  ["a longer time limit", { grants: { timeoutSeconds: 120 } }, "a time limit of 120 s"],
  [
    "another entry",
    { entry: { path: "count.sh", call: { style: "stdin-json" }, schema: { type: "object" } } },
    "an entry other than its manifest’s",
  ],
];

test.each(KINDS)(
  "an owner who approves %s for themselves is refused and told who has to sign",
  async (_, given, named) => {
    for (const role of ["user", "reviewer", "admin"] as const) {
      const owner = await browser(role);
      const version = "entry" in given ? await bringIn(owner, scripted()) : await ownPack(owner);
      const answer = await approve(version, owner, given);
      const problem = await answer.json();
      expect([role, answer.status, problem.code, problem.detail]).toEqual([
        role,
        403,
        "separation_of_duties",
        expect.stringContaining("A reviewer other than you must approve it"),
      ]);
      expect(problem.detail).toContain(named);
      expect(await (await call("GET", version, { headers: owner.headers })).json()).toMatchObject({
        state: "pending",
        decisions: [],
      });
      if (role !== "user" || named === "credential") continue;
      // The answer asks for another person's approval of the same terms, and that approval is accepted.
      const other = await approve(version, await browser("reviewer"), given);
      expect([named, other.status < 300 || other.status === 422]).toEqual([named, true]);
    }
  },
);

test("the plain sandbox is still the owner’s own to approve, with solo mode off and on", async () => {
  for (const solo of [false, true]) {
    await policy(solo);
    for (const role of ["user", "reviewer", "admin"] as const) {
      const owner = await browser(role);
      const answer = await approve(await ownPack(owner, { env_allow: ["TZ", "LC_ALL"] }), owner);
      expect([solo, role, answer.status]).toEqual([solo, role, 200]);
    }
  }
  await policy(false);
});

test("in solo mode only people with the review role sign alone for more", async () => {
  await policy(true);
  for (const [role, status] of [
    ["user", 403],
    ["reviewer", 200],
    ["admin", 200],
  ] as const) {
    const owner = await browser(role);
    const answer = await approve(await ownPack(owner), owner, { grants: { network: true } });
    expect([role, answer.status]).toEqual([role, status]);
  }
  await policy(false);
});

test.each([
  ["an environment name", { env_allow: ["API_KEY"] }, "the environment variable API_KEY"],
  ["a longer time limit", { timeout_seconds: 90 }, "a time limit of 90 s"],
])(
  "%s that the files ask for takes another person, also when the decision gives nothing",
  async (_, manifest, named) => {
    const owner = await browser("user");
    const version = await ownPack(owner, manifest);
    const { you } = await (await call("GET", version, { headers: owner.headers })).json();
    expect(you).toMatchObject({ mayApprove: false, whyNot: expect.stringContaining(named) });
    for (const given of [{}, { grants: { env: [], timeoutSeconds: 30 } }]) {
      const answer = await approve(version, owner, given);
      expect([answer.status, (await answer.json()).detail]).toEqual([403, expect.stringContaining(named)]);
    }
    const { items } = await (await call("GET", "/api/reviews", { headers: owner.headers })).json();
    expect(items).toEqual([]);
  },
);

test("an edit does not bring in what an import could not", async () => {
  const owner = await browser("user");
  const version = await ownPack(owner);
  expect((await approve(version, owner)).status).toBe(200);
  const [skill, digest] = version.split("/versions/");
  const text = JSON.stringify({
    ...{ name: `own_${count}`, description: "Gives back what it was given.", entry: "run.sh", class: "safe" },
    ...{ schema: { type: "object" }, env_allow: ["API_KEY"] },
  });
  const { files } = await (await call("GET", version, { headers: owner.headers })).json();
  const kept = files.filter(({ path }: { path: string }) => path !== "skill.json");
  const edited = await call("POST", `${skill}/versions`, {
    headers: owner.headers,
    json: {
      baseDigest: digest,
      files: [
        { path: "skill.json", text },
        ...kept.map(({ path, sha256, mode }: Record<string, string>) => ({ path, sha256, mode })),
      ],
    },
  });
  const draft = await edited.json();
  expect(edited.status, JSON.stringify(draft)).toBe(201);
  const next = `${skill}/versions/${draft.digest}`;
  expect((await call("POST", `${next}/submit`, { headers: owner.headers })).status).toBe(200);
  const answer = await approve(next, owner);
  expect([answer.status, (await answer.json()).detail]).toEqual([403, expect.stringContaining("API_KEY")]);
  const terms = await approve(version, owner, { grants: { network: true } });
  expect([terms.status, (await terms.json()).code]).toEqual([403, "separation_of_duties"]);
});

test("a credential that is hidden and one that does not exist answer a plain user the same", async () => {
  const owner = await browser("user");
  const version = await ownPack(owner);
  const answers = [];
  for (const credential of ["deploy-key", "no-such-key"]) {
    const answer = await approve(version, owner, {
      grants: { credentials: [{ slot: "t", credential, as: "env", name: "T" }] },
    });
    const { requestId: _, instance: __, ...problem } = await answer.json();
    answers.push({ status: answer.status, problem });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(JSON.stringify(answers)).not.toContain("deploy-key");
});
