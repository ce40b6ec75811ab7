import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { z } from "zod";
import { createPersona } from "@/lib/auth/personas";
import { addSshKey } from "@/lib/auth/ssh-keys";
import { createToken } from "@/lib/auth/tokens/tokens";
import { processStore } from "@/lib/core/process-store";
import { takeFromLimit } from "@/lib/core/take-from-limit";
import { readAttestation } from "@/lib/review/attest/attestations";
import { Envelope, SshSignatureList } from "@/lib/review/attest/schema";
import { addSshSignature, exportSignedBytes } from "@/lib/review/attest/ssh-signatures";
import { decideVersion } from "@/lib/review/decide-version";
import { ApprovalBundle } from "@/lib/review/schema";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { sshKey } from "@/lib/testing/ssh-key";
import * as registry from "./oci/[...path]/route";
import * as base from "./oci/route";
import { distributionWorld } from "./testing/distribution-world";

const { ask, person, admin, publish, database } = await distributionWorld([
  ["/api/distribution/oci", { ...base, HEAD: base.GET }],
  ["/api/distribution/oci/[...path]", { ...registry, HEAD: registry.GET }],
]);
const acme = await person();
const key = sshKey();

const sha256 = (bytes: Uint8Array | string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const EMPTY = sha256("{}");
const UNKNOWN = sha256("never stored");
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";

const Annotations = z.record(z.string(), z.string());
const Descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.number().int().positive(),
});
/** The image specification 1.1, sections “Image Manifest” and “Guidelines for Artifact Usage”. */
const Manifest = z.strictObject({
  schemaVersion: z.literal(2),
  mediaType: z.literal(MANIFEST),
  artifactType: z.string().regex(/^application\/[a-z0-9.+-]+$/),
  config: Descriptor.extend({ mediaType: z.literal("application/vnd.oci.empty.v1+json"), data: z.literal("e30=") }),
  layers: z.array(Descriptor.extend({ annotations: Annotations })).length(1),
  subject: Descriptor.optional(),
  annotations: Annotations,
});
const Index = z.strictObject({
  schemaVersion: z.literal(2),
  mediaType: z.literal(INDEX),
  manifests: z.array(Descriptor.extend({ artifactType: z.string(), annotations: Annotations })),
});
const Errors = z.strictObject({ errors: z.array(z.object({ code: z.string(), message: z.string() })).length(1) });

const md = (name: string, body = "") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n# ${name}\n${body}`;
const filesOf = (name: string, body = "") =>
  skillFiles({ "SKILL.md": md(name, body), "scripts/deep/run.sh*": "#!/bin/sh\n", "a b.txt": "x" });
const offer = async (name: string, shape: { body?: string; visibility?: "private" } = {}) => {
  const { body = "", ...more } = shape;
  const made = await publish(acme, { name, files: filesOf(name, body), ...more });
  return { ...made, at: `/v2/${made.handle}/${name}` };
};
type Options = Parameters<typeof ask>[1];
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const pull = async (path: string, options: Options = {}) => {
  const response = await ask(path, options);
  return { status: response.status, headers: response.headers, bytes: await bytesOf(response) };
};
const manifestAt = async (path: string, options: Options = {}) => {
  const { status, bytes } = await pull(path, options);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  return { ...Manifest.parse(JSON.parse(new TextDecoder().decode(bytes))), digest: sha256(bytes), size: bytes.length };
};
const codeOf = async (path: string, options: Options = {}) => {
  const response = await ask(path, options);
  expect(response.headers.get("content-type")).toBe("application/json");
  return [response.status, Errors.parse(await response.json()).errors[0]?.code];
};
const tagsAt = async (path: string, options: Options = {}) => {
  const response = await ask(path, options);
  return { ...(await response.json()), link: response.headers.get("link") };
};
const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});
/** Files of a tar by name, with their mode; folders end with a slash. */
const untar = (bytes: Uint8Array) => {
  const tar = gunzipSync(bytes);
  const found: Record<string, [mode: string, text: string]> = {};
  for (let at = 0; tar[at] !== 0 && at < tar.length; ) {
    const text = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).split("\0")[0] ?? "";
    const size = Number.parseInt(text(124, 11), 8);
    const name = [text(345, 155), text(0, 100)].filter(Boolean).join("/");
    found[name] = [text(100, 7), tar.toString("utf8", at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
};

// The pull and discovery checks of the conformance tests of opencontainers/distribution-spec (conformance/01_pull_test.go
// and 03_discovery_test.go, release 1.1), for a registry that is filled by approvals and not by a push.
const pdf = await offer("pdf");

test.each(["GET", "HEAD"])("conformance: %s of blobs and manifests, existing and not", async (method) => {
  const { digest, layers, size } = await manifestAt(`${pdf.at}/manifests/latest`);
  const [layer] = layers;
  const existing: [path: string, digest: string, size: number][] = [
    [`${pdf.at}/blobs/${EMPTY}`, EMPTY, 2],
    [`${pdf.at}/blobs/${layer?.digest}`, layer?.digest ?? "", layer?.size ?? 0],
    [`${pdf.at}/manifests/${digest}`, digest, size],
    [`${pdf.at}/manifests/latest`, digest, size],
    [`${pdf.at}/manifests/1.0.0`, digest, size],
  ];
  for (const [path, expected, length] of existing) {
    const { status, headers, bytes } = await pull(path, { method, headers: { accept: MANIFEST } });
    expect([status, headers.get("docker-content-digest")], path).toEqual([200, expected]);
    expect([headers.get("content-length"), headers.get("etag")], path).toEqual([String(length), `"${expected}"`]);
    expect(headers.get("docker-distribution-api-version")).toBe("registry/2.0");
    // A proxy or this server that compressed them would change what clients compare.
    expect(headers.get("cache-control")).toContain("no-transform");
    if (path.includes("/manifests/")) expect(headers.get("content-type")).toBe(MANIFEST);
    if (method === "GET") expect(sha256(bytes), path).toBe(expected);
    else expect(bytes.length).toBe(0);
  }
  for (const path of [`blobs/${UNKNOWN}`, `manifests/${UNKNOWN}`, "manifests/none", "manifests/9.9.9"])
    expect((await ask(`${pdf.at}/${path}`, { method })).status, path).toBe(404);
});

test.each([
  ["GET", "/manifests/.INVALID", 400, "MANIFEST_INVALID"],
  ["GET", "/manifests/sha256:totallywrong", 400, "DIGEST_INVALID"],
  ["GET", `/blobs/sha256:${"A".repeat(64)}`, 400, "DIGEST_INVALID"],
  ["GET", "/blobs/uploads", 400, "DIGEST_INVALID"],
  ["GET", "/referrers/latest", 400, "DIGEST_INVALID"],
  ["GET", `/blobs/sha512:${"a".repeat(128)}`, 404, "BLOB_UNKNOWN"],
  ["GET", `/blobs/${UNKNOWN}`, 404, "BLOB_UNKNOWN"],
  ["GET", `/manifests/${UNKNOWN}`, 404, "MANIFEST_UNKNOWN"],
  ["GET", "/manifests/none", 404, "MANIFEST_UNKNOWN"],
  ["GET", "/tags/list?n=-1", 400, "UNSUPPORTED"],
  ["PUT", "/manifests/sha256:totallywrong", 400, "DIGEST_INVALID"],
  ["PUT", "/manifests/1.0.0", 405, "UNSUPPORTED"],
  ["POST", "/blobs/uploads/", 405, "UNSUPPORTED"],
  ["POST", "/blobs/uploads/?mount=x&from=y", 405, "UNSUPPORTED"],
  ["PATCH", "/blobs/uploads/1", 405, "UNSUPPORTED"],
  ["DELETE", `/manifests/${UNKNOWN}`, 405, "UNSUPPORTED"],
  ["DELETE", "/manifests/latest", 405, "UNSUPPORTED"],
  ["DELETE", `/blobs/${UNKNOWN}`, 405, "UNSUPPORTED"],
])("%s …%s answers %i %s in the specification’s form", async (method, path, status, code) => {
  const options = { method, token: acme.token, ...(method === "PUT" ? { body: "{}" } : {}) };
  expect(await codeOf(pdf.at + path, options)).toEqual([status, code]);
});

test.each([
  ["UPPER/pdf", 400, "NAME_INVALID"],
  ["a--b/pd..f", 400, "NAME_INVALID"],
  [`${"a".repeat(200)}/${"b".repeat(60)}`, 400, "NAME_INVALID"],
  ["pdf", 404, "NAME_UNKNOWN"],
  ["a/b/c", 404, "NAME_UNKNOWN"],
  ["nobody/pdf", 404, "NAME_UNKNOWN"],
])("the repository %s answers %i %s", async (name, status, code) => {
  for (const rest of ["tags/list", "manifests/latest", `blobs/${EMPTY}`])
    expect(await codeOf(`/v2/${name}/${rest}`, { token: acme.token }), rest).toEqual([status, code]);
});

test("conformance: tags are listed in order, limited by n and continued by last", async () => {
  const many = await offer("many-tags");
  for (let edition = 1; edition < 11; edition += 1) await offer("many-tags", { body: `${edition}` });
  const names = ["1.0.0", "1.1.0", "1.10.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0"];
  const all = [...names, "latest"];
  const name = many.at.slice("/v2/".length);
  expect(await tagsAt(`${many.at}/tags/list`)).toEqual({ name, tags: all, link: null });
  const read: string[] = [];
  let next: string | undefined = `${many.at}/tags/list?n=5`;
  while (next !== undefined) {
    const { tags, link } = await tagsAt(next);
    expect(tags.length).toBeLessThanOrEqual(5);
    read.push(...tags);
    next = /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
  }
  expect(read).toEqual(all);
  expect(await tagsAt(`${many.at}/tags/list?n=0`)).toEqual({ name, tags: [], link: null });
  expect(await tagsAt(`${many.at}/tags/list?last=1.8.5`)).toMatchObject({ tags: ["1.9.0", "latest"], link: null });
});

test("conformance: referrers of a manifest are listed and filtered, and none is no 404", async () => {
  const { digest, size } = await manifestAt(`${pdf.at}/manifests/latest`);
  const list = async (path: string, options: Options = {}) => {
    const response = await ask(path, options);
    expect([response.status, response.headers.get("content-type")], path).toEqual([200, INDEX]);
    const { manifests } = Index.parse(await response.json());
    return { manifests, filtered: response.headers.get("oci-filters-applied") };
  };
  const { manifests, filtered } = await list(`${pdf.at}/referrers/${digest}`);
  expect(filtered).toBeNull();
  expect(manifests.map(({ artifactType }) => artifactType)).toEqual([
    "application/vnd.skillgate.approval.v1+json",
    "application/vnd.dsse.envelope.v1+json",
  ]);
  const [referrer, attestation] = manifests;
  const type = encodeURIComponent(referrer?.artifactType ?? "");
  expect(await list(`${pdf.at}/referrers/${digest}?artifactType=${type}`)).toEqual({
    ...{ manifests: [referrer], filtered: "artifactType" },
  });
  expect(await list(`${pdf.at}/referrers/${digest}?artifactType=application/other`)).toEqual({
    ...{ manifests: [], filtered: "artifactType" },
  });
  const none = { manifests: [], filtered: null };
  expect(await list(`${pdf.at}/referrers/${UNKNOWN}`)).toEqual(none);
  expect(await list(`/v2/nobody/none/referrers/${digest}`, { token: acme.token })).toEqual(none);

  const manifest = await manifestAt(`${pdf.at}/manifests/${referrer?.digest}`);
  expect(manifest).toMatchObject({ ...referrer, subject: { mediaType: MANIFEST, digest, size } });
  const [layer] = manifest.layers;
  const { bytes } = await pull(`${pdf.at}/blobs/${layer?.digest}`);
  expect([sha256(bytes), bytes.length]).toEqual([layer?.digest, layer?.size]);
  const bundle = ApprovalBundle.parse(JSON.parse(new TextDecoder().decode(bytes)));
  expect([bundle.versionDigest, bundle.signatures.length]).toEqual([pdf.digest, 1]);
  const [envelope] = (await manifestAt(`${pdf.at}/manifests/${attestation?.digest}`)).layers;
  const signed = Envelope.parse(await (await ask(`${pdf.at}/blobs/${envelope?.digest}`)).json());
  expect(readAttestation(signed).predicate.version.digest).toBe(pdf.digest);
  expect(await list(`${pdf.at}/referrers/${referrer?.digest}`)).toEqual(none);
});

test("the SSH signatures of approvers are one more referrer", async () => {
  const skill = await offer("signed");
  const { digest } = await manifestAt(`${skill.at}/manifests/latest`);
  const place = { id: skill.id, digest: skill.digest };
  await addSshKey(admin.ctx, { name: "Key", proof: key.sign("skillgate-key", admin.id) });
  const signature = key.sign("skillgate-approval", await exportSignedBytes(admin.ctx, place));
  await addSshSignature(admin.ctx, { ...place, signature });
  const type = encodeURIComponent("application/vnd.skillgate.ssh-signatures.v1+json");
  const answer = await ask(`${skill.at}/referrers/${digest}?artifactType=${type}`);
  const [referrer] = Index.parse(await answer.json()).manifests;
  const [layer] = (await manifestAt(`${skill.at}/manifests/${referrer?.digest}`)).layers;
  const { items } = SshSignatureList.parse(await (await ask(`${skill.at}/blobs/${layer?.digest}`)).json());
  expect(items.map(({ fingerprint }) => fingerprint)).toEqual([key.fingerprint]);
});

test("the artifact says what it is, and its layer is the folder that was approved", async () => {
  const { artifactType, annotations, layers } = await manifestAt(`${pdf.at}/manifests/latest`);
  expect(artifactType).toBe("application/vnd.agentskills.skill.v1");
  expect(annotations).toEqual({
    "io.agentskills.skill.name": "pdf",
    "org.opencontainers.image.title": "pdf",
    "org.opencontainers.image.description": "Does pdf.",
    "org.opencontainers.image.version": "1.0.0",
    "skillgate.version.digest": `sha256:${pdf.digest}`,
  });
  expect(layers[0]).toMatchObject({ mediaType: "application/vnd.agentskills.skill.content.v1.tar+gzip" });
  expect(untar((await pull(`${pdf.at}/blobs/${layers[0]?.digest}`)).bytes)).toEqual({
    "pdf/": ["0000755", ""],
    "pdf/SKILL.md": ["0000644", md("pdf")],
    "pdf/a b.txt": ["0000644", "x"],
    "pdf/scripts/": ["0000755", ""],
    "pdf/scripts/deep/": ["0000755", ""],
    "pdf/scripts/deep/run.sh": ["0000755", "#!/bin/sh\n"],
  });
});

test("digests are the same at every pull, after a restart, and without anything that was kept", async () => {
  const { at } = await offer("steady");
  const read = async () => {
    const manifest = await pull(`${at}/manifests/latest`);
    const { digest, layers } = await manifestAt(`${at}/manifests/latest`);
    const layer = await pull(`${at}/blobs/${layers[0]?.digest}`);
    const referrers = await pull(`${at}/referrers/${digest}`);
    return [manifest, layer, referrers].map(({ bytes }) => sha256(bytes));
  };
  const before = await read();
  processStore("distribution-archives", () => new Map()).clear();
  expect(await read()).toEqual(before);
  rmSync(join(database.workFolder, "door-archives"), { recursive: true, force: true });
  processStore("distribution-archives", () => new Map()).clear();
  expect(await read()).toEqual(before);
  await database.writer.doorPackage.deleteMany({});
  processStore("distribution-archives", () => new Map()).clear();
  // By its digest, before anything asked for the tag.
  const [digest = "", layer = ""] = before;
  expect((await pull(`${at}/blobs/${layer}`)).status).toBe(200);
  expect((await pull(`${at}/manifests/${digest}`)).status).toBe(200);
  expect(await read()).toEqual(before);
});

test("a layer is sent in parts", async () => {
  const { layers } = await manifestAt(`${pdf.at}/manifests/latest`);
  const path = `${pdf.at}/blobs/${layers[0]?.digest}`;
  const { bytes, headers } = await pull(path);
  expect(headers.get("accept-ranges")).toBe("bytes");
  const part = await pull(path, { headers: { range: "bytes=5-20" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 5-20/${bytes.length}`]);
  expect(part.bytes).toEqual(bytes.slice(5, 21));
  expect((await pull(path, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
});

test("a program signs in as registries ask: challenge, token, and the token as bearer or password", async () => {
  const secret = await offer("secret", { visibility: "private" });
  const path = `${secret.at}/manifests/latest`;
  const challenge = 'Bearer realm="http://127.0.0.1:3000/v2/token",service="127.0.0.1:3000"';
  for (const at of ["/v2/", "/v2", path, `${secret.at}/tags/list`, "/v2/nobody/none/tags/list"]) {
    const response = await ask(at);
    expect([response.status, response.headers.get("www-authenticate")], at).toEqual([401, challenge]);
    expect(Errors.parse(await response.json()).errors[0]?.code).toBe("UNAUTHORIZED");
  }
  const tokenFor = async (headers: Record<string, string>) => {
    const response = await ask("/v2/token?service=127.0.0.1:3000&scope=repository:a/b:pull", { headers });
    expect(response.headers.get("cache-control")).toContain("no-store");
    const { token, access_token } = (await response.json()) as { token?: string; access_token?: string };
    expect(access_token).toBe(token);
    return { status: response.status, token };
  };
  const { token } = await tokenFor(basic("any name", acme.token));
  expect(token).toBe(acme.token);
  for (const headers of [{ authorization: `Bearer ${token}` }, basic("x", acme.token), basic(acme.token, "")]) {
    expect((await ask("/v2/", { headers })).status).toBe(200);
    expect((await ask(path, { headers })).status).toBe(200);
  }
  const stranger = await person();
  expect(await codeOf(path, { token: stranger.token })).toEqual([404, "NAME_UNKNOWN"]);
  for (const headers of [basic("x", "no token"), { authorization: `Bearer sgt_${"x".repeat(43)}` }]) {
    expect((await tokenFor(headers)).status).toBe(401);
    for (const at of ["/v2/", path, `${pdf.at}/tags/list`]) {
      expect(await codeOf(at, { headers })).toEqual([401, "UNAUTHORIZED"]);
      expect((await ask(at, { headers })).headers.get("www-authenticate")).toBe(challenge);
    }
  }
});

test("an anonymous token is none: it reads what is public, and is not asked to sign in again", async () => {
  const hidden = await offer("hidden", { visibility: "private" });
  const { token } = (await (await ask("/v2/token?service=x")).json()) as { token: string };
  for (const headers of [{ authorization: `Bearer ${token}` }, { authorization: "Basic Og==" }]) {
    expect((await ask("/v2/", { headers })).status).toBe(200);
    expect((await ask(`${pdf.at}/manifests/latest`, { headers })).status).toBe(200);
    expect(await codeOf(`${hidden.at}/manifests/latest`, { headers })).toEqual([404, "NAME_UNKNOWN"]);
    expect(await codeOf(`${hidden.at}/blobs/${EMPTY}`, { headers })).toEqual([404, "NAME_UNKNOWN"]);
  }
});

test("what is revoked, switched off or deleted is gone by tag and by digest, and the rest stays", async () => {
  const first = await offer("fleeting");
  const old = await manifestAt(`${first.at}/manifests/1.0.0`);
  const { manifests } = Index.parse(await (await ask(`${first.at}/referrers/${old.digest}`)).json());
  const approval = `manifests/${manifests[0]?.digest}`;
  expect((await ask(`${first.at}/${approval}`)).status).toBe(200);
  await offer("fleeting", { body: "more" });
  const current = await manifestAt(`${first.at}/manifests/latest`);
  expect(current.annotations["org.opencontainers.image.version"]).toBe("1.1.0");
  const at = ({ digest, layers }: typeof old) => [`manifests/${digest}`, `blobs/${layers[0]?.digest}`];

  await decideVersion(admin.ctx, first.id, first.digest, { decision: "revoke", comment: "Bad." });
  for (const path of [...at(old), "manifests/1.0.0"]) {
    const code = path.startsWith("blobs") ? "BLOB_UNKNOWN" : "MANIFEST_UNKNOWN";
    expect(await codeOf(`${first.at}/${path}`), path).toEqual([410, code]);
  }
  expect((await ask(`${first.at}/${approval}`)).status).toBe(404);
  expect(Index.parse(await (await ask(`${first.at}/referrers/${old.digest}`)).json()).manifests).toEqual([]);
  for (const path of [...at(current), "manifests/1.1.0"])
    expect((await ask(`${first.at}/${path}`)).status, path).toBe(200);
  expect((await tagsAt(`${first.at}/tags/list`)).tags).toEqual(["1.1.0", "latest"]);

  await updateSkill(admin.ctx, first.id, { enabled: false });
  const everything = [...at(old), ...at(current), "manifests/1.1.0", "manifests/latest", "tags/list", `blobs/${EMPTY}`];
  for (const path of everything) expect((await codeOf(`${first.at}/${path}`))[0], path).toBe(410);
  await deleteSkill(admin.ctx, first.id);
  for (const path of everything) expect((await ask(`${first.at}/${path}`)).status, path).toBe(410);
});

test("changed bytes and changed approvals are not served", async () => {
  const { at, id } = await offer("tampered");
  const { digest, layers } = await manifestAt(`${at}/manifests/latest`);
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: id }, include: { files: true } });
  const file = version.files.find(({ path }) => path === "SKILL.md");
  await database.writer.blob.update({ where: { sha256: file?.sha256 ?? "" }, data: { bytes: Buffer.from("evil") } });
  processStore("distribution-archives", () => new Map()).clear();
  for (const path of ["manifests/latest", `manifests/${digest}`, `blobs/${layers[0]?.digest}`]) {
    const response = await ask(`${at}/${path}`);
    expect(response.status, path).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain("evil");
  }
});

test("an agent pulls what its persona allows, and writes nothing", async () => {
  const other = await offer("other-skill");
  const policy = { permissionMode: "read-only" as const, deny: ["other-skill"] };
  const persona = await createPersona(admin.ctx, { name: "Reader", ...policy });
  const { token } = await createToken(acme.ctx, { name: "agent", scopes: ["read"], persona: persona.id });
  const mine = await publish(acme, { name: "plain-notes", files: skillFiles({ "SKILL.md": md("plain-notes") }) });
  expect((await ask(`/v2/${mine.handle}/plain-notes/manifests/latest`, { token })).status).toBe(200);
  expect(await codeOf(`${other.at}/manifests/latest`, { token })).toEqual([404, "NAME_UNKNOWN"]);
  // A script that no reviewer granted is withheld from agents, and with it the skill.
  expect(await codeOf(`${pdf.at}/manifests/latest`, { token })).toEqual([404, "NAME_UNKNOWN"]);
  const { repositories } = await (await ask("/v2/_catalog", { token })).json();
  expect(repositories).toEqual([`${mine.handle}/plain-notes`]);
  expect(await codeOf(`${pdf.at}/blobs/uploads/`, { method: "POST", token })).toEqual([403, "DENIED"]);
});

test("the list of repositories has what the caller is offered, in pages", async () => {
  const { at } = await offer("zz-private", { visibility: "private" });
  const name = at.slice("/v2/".length);
  const read = async (path: string, options: Options = {}) => {
    const response = await ask(path, options);
    const { repositories } = (await response.json()) as { repositories: string[] };
    return { repositories, link: response.headers.get("link") };
  };
  const anonymous = await read("/v2/_catalog");
  const own = await read("/v2/_catalog", { token: acme.token });
  expect(anonymous.repositories).toContain(pdf.at.slice("/v2/".length));
  expect(anonymous.repositories).not.toContain(name);
  expect(own.repositories).toEqual([...own.repositories].sort());
  expect(own.repositories).toContain(name);
  const [first] = own.repositories;
  const page = await read("/v2/_catalog?n=1", { token: acme.token });
  expect(page.repositories).toEqual([first]);
  const next = /^<([^>]+)>/.exec(page.link ?? "")?.[1] ?? "";
  expect((await read(next, { token: acme.token })).repositories).toEqual([own.repositories[1]]);
});

test("a pull counts as an install and a call, HEAD does not, and too many answer 429", async () => {
  const by = await person();
  const { id, handle } = await publish(by, { name: "counted", files: filesOf("counted") });
  const at = `/v2/${handle}/counted`;
  const headers = { "user-agent": "skopeo/1.9.3" };
  const { layers } = await manifestAt(`${at}/manifests/latest`, { token: by.token, headers });
  const counts = () => database.reader.installCount.findMany({ where: { skillId: id } });
  await ask(`${at}/blobs/${layers[0]?.digest}`, { method: "HEAD", token: by.token });
  expect(await counts()).toEqual([]);
  for (let time = 0; time < 2; time += 1) await ask(`${at}/blobs/${layers[0]?.digest}`, { token: by.token });
  expect(await counts()).toMatchObject([{ door: "oci", count: 1 }]);
  const { items } = await (await ask("/api/distribution/client-activity", { token: by.token })).json();
  expect(items).toContainEqual(expect.objectContaining({ door: "oci", client: "skopeo", mine: true }));

  const { tokenId } = await database.reader.apiToken
    .findFirstOrThrow({ where: { userId: by.id } })
    .then(({ id: tokenId }) => ({ tokenId }));
  for (let left = true; left; ) left = (await takeFromLimit("distribution", `token:${tokenId}`, 3_000)).allowed;
  expect(await codeOf(`${at}/tags/list`, { token: by.token })).toEqual([429, "TOOMANYREQUESTS"]);
});

test("a version whose path does not fit a layer is in no repository", async () => {
  const files = skillFiles({ "SKILL.md": md("long-path"), [`${"é".repeat(60)}.txt`]: "x" });
  const { handle } = await publish(acme, { name: "long-path", files });
  expect(await codeOf(`/v2/${handle}/long-path/tags/list`, { token: acme.token })).toEqual([404, "NAME_UNKNOWN"]);
});
