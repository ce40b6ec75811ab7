import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { keyIdOf } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "../decide-version";
import { listForeignReviews } from "./foreign-reviews";
import type { BundleManifest, BundleVersion } from "./format";
import { importBundle } from "./import-bundle";
import { withBundle } from "./read-bundle";
import { signManifest } from "./signed-manifest";
import { writeBundle } from "./write-bundle";

const [there, here] = [await testDatabase(), await testDatabase()];
const folder = mkdtempSync(join(tmpdir(), "skillgate-bundles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [author, reviewer, exporter] = [
  await there.person("user", "Ada"),
  await there.person("reviewer", "Ben"),
  await there.person("admin", "Cleo"),
];
const admin = await here.person("admin", "Dana");
const COUNT = 200;

let files = 0;
async function save(bytes: Uint8Array): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.bundle`);
  writeFileSync(file, bytes);
  return file;
}

async function exported(ctx: Ctx, skills: string[] | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await writeBundle(ctx, { skills })).chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const refusal = async (bytes: Uint8Array): Promise<string> => {
  const file = await save(bytes);
  return importBundle(admin.ctx, { file, owner: "org" }).then(
    () => "imported",
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
};

/** Everything stored in the importing database that an import could have touched. */
async function stored() {
  const { reader } = here.database;
  const counts = [reader.skill.count(), reader.version.count(), reader.blob.count(), reader.auditEvent.count()];
  return Promise.all([...counts, reader.foreignReview.count(), reader.foreignInstance.count(), reader.bundle.count()]);
}

let small: Buffer;

beforeAll(async () => {
  await approvedSkill(author.ctx, reviewer.ctx, { name: "small_one", extra: [extraFile("notes.txt", "hello")] });
  small = await exported(exporter.ctx, ["small_one"]);
});

function extraFile(path: string, text: string) {
  return { path, mode: "644" as const, bytes: new TextEncoder().encode(text) };
}

test("200 skills with several versions move to another instance with every byte, decision and proof", async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `moved_${index}`);
  for (const [index, name] of names.entries()) {
    const { id } = await approvedSkill(author.ctx, reviewer.ctx, {
      name,
      extra: [extraFile("data.txt", `data ${index}`)],
    });
    if (index % 10 !== 0) continue;
    const next = await zipUpload("pack", packFiles({ name, script: `#!/bin/sh\necho ${index}\n` }));
    await importSkills(author.ctx, { ...next, owner: "me" });
    const digest = (await there.database.reader.version.findFirstOrThrow({ where: { skillId: id, state: "pending" } }))
      .digest;
    if (index % 20 === 0) await decideVersion(reviewer.ctx, id, digest, { decision: "reject", comment: "Too loud." });
  }
  const file = await save(await exported(exporter.ctx, names));
  const result = await importBundle(admin.ctx, { file, owner: "org" });
  expect(result.versions).toHaveLength(COUNT + COUNT / 10);
  expect(new Set(result.versions.map(({ effect }) => effect))).toEqual(new Set(["new", "version"]));
  const include = { files: { orderBy: { path: "asc" } }, decisions: { orderBy: { id: "asc" } }, skill: true } as const;
  for (const { name, skillId, digest } of result.versions) {
    const slug = name.slice(0, name.indexOf("@"));
    const [before, after] = await Promise.all([
      there.database.reader.version.findFirstOrThrow({ where: { digest, skill: { slug } }, include }),
      here.database.reader.version.findFirstOrThrow({ where: { digest, skillId }, include }),
    ]);
    expect(after.state).toBe("pending");
    expect(after.skill).toMatchObject({ ownerKey: "org", enabled: false, currentId: null, visibility: "private" });
    const listed = ({ files: of }: typeof before) =>
      of.map(({ path, mode, sha256, size }) => ({ path, mode, sha256, size }));
    expect(listed(after)).toEqual(listed(before));
    for (const { sha256 } of after.files) {
      const blob = await here.database.reader.blob.findUniqueOrThrow({ where: { sha256 } });
      expect(createHash("sha256").update(blob.bytes).digest("hex")).toBe(sha256);
    }
    const review = await here.database.reader.foreignReview.findFirstOrThrow({ where: { versionId: after.id } });
    const record = JSON.parse(review.record) as BundleVersion;
    expect(
      record.decisions.map(({ id, comment, signature, statement }) => ({ id, comment, signature, statement })),
    ).toEqual(before.decisions.map(({ id, comment, signature, statement }) => ({ id, comment, signature, statement })));
    const events = await there.database.reader.auditEvent.findMany({
      where: { versionDigest: digest, skillId: before.skillId, action: { in: ["version.approve", "version.reject"] } },
      orderBy: { seq: "asc" },
    });
    expect(record.events.map(({ seq, hash }) => ({ seq, hash }))).toEqual(
      events.map(({ seq, hash }) => ({ seq, hash })),
    );
    expect(record.state).toBe(before.state);
  }
  const event = await here.database.reader.auditEvent.findFirst({
    where: { action: "bundle.import" },
    orderBy: { seq: "desc" },
  });
  expect(event).toMatchObject({ actorId: admin.id, targetId: result.bundle });
  expect(JSON.parse(event?.data ?? "{}")).toMatchObject({
    keyId: result.keyId,
    skills: COUNT,
    new: COUNT + COUNT / 10,
  });
}, 120_000);

test("foreign approvals are shown with instance, key, people and time, and approve nothing", async () => {
  const { versions, keyId } = await importBundle(admin.ctx, { file: await save(small), owner: "org" });
  const [version] = versions;
  const place = { id: version?.skillId ?? "", digest: version?.digest ?? "" };
  const [shown] = (await listForeignReviews(admin.ctx, place)).items;
  expect(shown).toMatchObject({
    ...{ instance: { keyId, trusted: false }, state: "approved", active: true, class: "safe", counts: false },
    whyNot: expect.stringContaining("no admin trusts this instance"),
    bundle: { exportedBy: "Cleo", importedBy: { id: admin.id } },
    decisions: [{ decision: "approve", by: "Ben", standing: "counts", signed: true }],
  });
  await expect(listForeignReviews((await here.person("user")).ctx, place)).rejects.toMatchObject({ code: "forbidden" });
});

test("a repeated import stores no version twice, and an older bundle does not replace what a newer one said", async () => {
  const { id, digest } = await approvedSkill(author.ctx, reviewer.ctx, { name: "later_revoked" });
  const before = await exported(exporter.ctx, [id]);
  await decideVersion(reviewer.ctx, id, digest, { decision: "revoke", comment: "It was wrong." });
  const after = await exported(exporter.ctx, [id]);
  const importOne = async (bytes: Buffer) => importBundle(admin.ctx, { file: await save(bytes), owner: "org" });
  const first = await importOne(before);
  const place = { id: first.versions[0]?.skillId ?? "", digest };
  const stateThere = async () => (await listForeignReviews(admin.ctx, place)).items[0]?.state;
  expect(await stateThere()).toBe("approved");
  expect((await importOne(after)).versions).toEqual([expect.objectContaining({ effect: "known" })]);
  expect(await stateThere()).toBe("revoked");
  await importOne(before);
  expect(await stateThere()).toBe("revoked");
});

test("every kind of changed byte is refused with its name, and nothing is stored", async () => {
  const line = small.indexOf(0x0a);
  const manifest = manifestOf(small);
  const [ref] = manifest.versions;
  if (ref === undefined) throw new Error("the bundle has no version");
  const filesFrom = line + 1 + ref.bytes + 1;
  const places: [at: number, says: RegExp][] = [
    [0, /begin like a bundle/],
    [5, /first line/],
    [small.indexOf('"payload":"') + 40, /first line/],
    [small.indexOf('"sig":"') + 12, /first line/],
    [line, /first line|manifest/],
    [line + 1, /the record of small-one@1 differs|the record of small_one@1 differs/],
    [line + 200, /the record of .* differs/],
    [filesFrom - 1, /byte after the record of/],
  ];
  let offset = filesFrom;
  for (const file of manifest.files) {
    places.push([offset, /the file (skill\.json|run\.sh|notes\.txt) of .* differs/]);
    places.push([offset + file.bytes, /the byte after the file/]);
    offset += file.bytes + 1;
  }
  const before = await stored();
  for (const [at, says] of places) {
    const changed = Buffer.from(small);
    changed[at] = (changed[at] ?? 0) ^ 0x01;
    expect(await refusal(changed), `byte ${at}`).toMatch(says);
  }
  for (const changed of [
    small.subarray(0, -1),
    Buffer.concat([small, Buffer.from("x")]),
    small.subarray(0, line),
    Buffer.alloc(0),
  ])
    expect(await refusal(changed)).toMatch(/^archive_rejected: /);
  expect(await stored()).toEqual(before);
});

/** Every byte was tried when this was written, which takes half a minute. */
const STRIDE = 7;

test("a changed bit anywhere in a bundle is noticed", async () => {
  for (let at = 0; at < small.length; at += STRIDE) {
    const changed = Buffer.from(small);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    const file = join(folder, "one-byte.bundle");
    writeFileSync(file, changed);
    await expect(
      withBundle(file, async () => at),
      `byte ${at}`,
    ).rejects.toMatchObject({ code: "archive_rejected" });
  }
}, 120_000);

function manifestOf(bytes: Buffer): BundleManifest {
  const envelope = JSON.parse(bytes.subarray(0, bytes.indexOf(0x0a)).toString("utf8"));
  return JSON.parse(Buffer.from(envelope.payload, "base64").toString("utf8"));
}

type Parts = { manifest: BundleManifest; versions: BundleVersion[]; files: Buffer[] };
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const FORGER = {
  keyId: keyIdOf(publicKey),
  publicKey,
  publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  sign: (text: string) => sign(null, Buffer.from(text, "utf8"), privateKey).toString("base64"),
};

/** A bundle of a hostile instance, whose own key signs every lie. */
function forge(change: (parts: Parts) => void, sealed: (manifest: BundleManifest) => void = () => {}): Buffer {
  const manifest = manifestOf(small);
  let offset = small.indexOf(0x0a) + 1;
  const take = (bytes: number) => {
    const part = small.subarray(offset, offset + bytes);
    offset += bytes + 1;
    return Buffer.from(part);
  };
  const versions = manifest.versions.map(({ bytes }): BundleVersion => JSON.parse(take(bytes).toString("utf8")));
  const parts: Parts = { manifest, versions, files: manifest.files.map(({ bytes }) => take(bytes)) };
  const { keyId, publicPem } = FORGER;
  manifest.instance = { name: "Forger", keyId, publicKey: publicPem };
  for (const version of parts.versions) resign(version);
  change(parts);
  const records = parts.versions.map((version) => JSON.stringify(version));
  manifest.versions = records.map((record, index) => ({
    ...{ kind: "version" as const, bytes: Buffer.byteLength(record), sha256: sha256Hex(record) },
    name: `${parts.versions[index]?.skill.slug}@${parts.versions[index]?.number}`,
  }));
  manifest.files = parts.files.map((bytes) => ({
    kind: "file" as const,
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
  }));
  sealed(manifest);
  const bodies = [...records.map((record) => Buffer.from(record)), ...parts.files];
  const all = [Buffer.from(signManifest(FORGER, manifest)), ...bodies].flatMap((bytes) => [bytes, Buffer.from("\n")]);
  return Buffer.concat(all);
}

function resign(version: BundleVersion): void {
  for (const decision of version.decisions) {
    if (decision.statement === null) continue;
    decision.keyId = FORGER.keyId;
    decision.signature = FORGER.sign(decision.statement);
  }
}

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

const only = ({ versions: [version] }: Parts): BundleVersion => {
  if (version === undefined) throw new Error("no version");
  return version;
};

test("a hostile instance cannot bring in paths, duplicates, contradictions or bombs", async () => {
  expect(await refusal(forge(() => {}))).toBe("imported");
  const before = await stored();
  const path = (name: string) => (parts: Parts) => {
    const [file] = only(parts).files;
    if (file) file.path = name;
  };
  const lies: [string, (parts: Parts) => void, RegExp][] = [
    ["traversal", path("../../etc/passwd"), /\.\./],
    ["absolute path", path("/etc/passwd"), /absolute/],
    ["backslash", path("a\\b"), /backslash/],
    ["device name", path("aux.txt"), /device name/],
    ["hidden character", path("a\u202eb"), /invisible/],
    ["a path twice", (parts) => only(parts).files.push({ ...first(only(parts).files) }), /twice/],
    [
      "paths that differ in case",
      (parts) => only(parts).files.push({ ...first(only(parts).files), path: "RUN.SH" }),
      /letter case/,
    ],
    ["another path", path("other.txt"), /digest is not that/],
    [
      "another mode",
      (parts) => {
        first(only(parts).files).mode = first(only(parts).files).mode === "755" ? "644" : "755";
      },
      /digest is not that/,
    ],
    ["a file that is missing", (parts) => void parts.files.pop(), /is missing/],
    ["a file that no version names", (parts) => void parts.files.push(Buffer.from("more")), /no version names/],
    ["a file twice", (parts) => void parts.files.push(first(parts.files)), /one file twice/],
    [
      "another size",
      (parts) => {
        first(only(parts).files).size += 1;
      },
      /bytes in place of|two sizes/,
    ],
    ["a version twice", (parts) => void parts.versions.push(only(parts)), /one version twice/],
    ["its digest twice", (parts) => void parts.versions.push({ ...only(parts), number: 2, isActive: false }), /twice/],
    [
      "two skills of one name",
      (parts) =>
        void parts.versions.push({
          ...only(parts),
          number: 2,
          skill: { ...only(parts).skill, id: "other" },
          isActive: false,
          state: "pending",
          decisions: [],
          events: [],
          analyses: [],
        }),
      /two skills named/,
    ],
    [
      "another class",
      (parts) => {
        only(parts).class = "dangerous";
      },
      /approval does not verify/,
    ],
    [
      "other permissions",
      (parts) => {
        only(parts).grants = '{"network":true}';
      },
      /approval does not verify/,
    ],
    [
      "another owner",
      (parts) => {
        only(parts).skill.ownerKey = "org";
      },
      /approval does not verify/,
    ],
    [
      "another name of the signer",
      (parts) => {
        first(only(parts).decisions).actor.name = "Mara";
      },
      /decision/,
    ],
    [
      "a broken signature",
      (parts) => {
        first(only(parts).decisions).signature = FORGER.sign("other");
      },
      /signature does not match/,
    ],
    [
      "no signature",
      (parts) => {
        first(only(parts).decisions).signature = null;
      },
      /not signed/,
    ],
    [
      "no decision",
      (parts) => {
        only(parts).decisions = [];
      },
      /no signature that counts/,
    ],
    [
      "a decision twice",
      (parts) => void only(parts).decisions.push(first(only(parts).decisions)),
      /one decision twice/,
    ],
    [
      "no audit event",
      (parts) => {
        only(parts).events = [];
      },
      /not in the audit log/,
    ],
    [
      "an event of another version",
      (parts) => {
        first(only(parts).events).versionDigest = "0".repeat(64);
      },
      /another version/,
    ],
    [
      "an event after the end",
      (parts) => {
        parts.manifest.audit.chains = [];
      },
      /signed end of the audit log/,
    ],
    [
      "a revocation in the audit log",
      (parts) =>
        void only(parts).events.push({
          ...first(only(parts).events),
          seq: Number(first(only(parts).events).seq) + 1,
          action: "version.revoke",
        }),
      /revoked|signed end/,
    ],
    [
      "a name with a line break",
      (parts) => {
        parts.manifest.instance.name = "a\nb";
      },
      /manifest is not valid|control/,
    ],
    [
      "a report with another digest",
      (parts) =>
        void only(parts).analyses.push({
          id: "a",
          finishedAt: new Date().toISOString(),
          requestedBy: "x",
          worker: "w",
          reportDigest: "0",
          reportJson: "{}",
        }),
      /report of the dry run/,
    ],
    [
      "bytes that are another skill",
      (parts) => {
        only(parts).skill.slug = "another";
      },
      /named .* by its own files/,
    ],
  ];
  for (const [what, change, says] of lies) {
    const bytes = await Promise.resolve()
      .then(() => forge(change))
      .catch((error: Error) => error);
    // The program that signs refuses some lies itself.
    const answer = bytes instanceof Error ? bytes.message : await refusal(bytes);
    expect(answer, what).toMatch(says);
  }
  const sealed: [string, (manifest: BundleManifest) => void, RegExp][] = [
    [
      "a record of a gigabyte",
      (manifest) => {
        first(manifest.files).bytes = 5 * 1024 * 1024;
      },
      /bytes are missing/,
    ],
    [
      "a negative size",
      (manifest) => {
        first(manifest.files).bytes = -1;
      },
      /./,
    ],
    [
      "a newer format",
      (manifest) => {
        (manifest as { format: string }).format = "skillgate-bundle/2";
      },
      /./,
    ],
  ];
  for (const [what, change, says] of sealed) {
    const bytes = await Promise.resolve()
      .then(() => forge(() => {}, change))
      .catch((error: Error) => error);
    expect(bytes instanceof Error ? bytes.message : await refusal(bytes), what).toMatch(says);
  }
  expect(await stored()).toEqual(before);
});

test("another version of the format is named, and compressed or endless files are refused", async () => {
  const payload = JSON.stringify({ format: "skillgate-bundle/2", anything: true });
  const type = "application/vnd.skillgate.bundle+json";
  const sig = FORGER.sign(`DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`);
  const signatures = [{ keyid: FORGER.keyId, sig }];
  const line = JSON.stringify({ payloadType: type, payload: Buffer.from(payload).toString("base64"), signatures });
  expect(await refusal(Buffer.from(`${line}\n`))).toMatch(/format is "skillgate-bundle\/2".*reads skillgate-bundle\/1/);
  expect(await refusal(Buffer.from([0x1f, 0x8b, 8, 0]))).toMatch(/not compressed/);
  expect(await refusal(Buffer.from("PK\u0003\u0004"))).toMatch(/not compressed/);
  expect(await refusal(Buffer.alloc(17 * 1024 * 1024, "{"))).toMatch(/does not end within/);
  expect(await refusal(Buffer.from(`${"[".repeat(100_000)}\n`))).toMatch(/begin like a bundle/);
  expect(await refusal(Buffer.from(`{"a":${"[".repeat(100_000)}\n`))).toMatch(/not the signed manifest/);
});

test("a name that another owner uses stays theirs", async () => {
  const other = await here.person("user", "Eve");
  const upload = await zipUpload("pack", packFiles({ name: "small_one", script: "#!/bin/sh\necho mine\n" }));
  const [mine] = (await importSkills(other.ctx, { ...upload, owner: "me" })).skills;
  const before = await here.database.reader.skill.findUniqueOrThrow({ where: { id: mine?.id ?? "" } });
  const { versions } = await importBundle(admin.ctx, { file: await save(small), owner: "org" });
  expect(versions.map(({ skillId }) => skillId)).not.toContain(mine?.id);
  expect(await here.database.reader.skill.findUniqueOrThrow({ where: { id: mine?.id ?? "" } })).toEqual(before);
});

test("only admins export and import, and two skills of one name do not fit into a bundle", async () => {
  const file = await save(small);
  for (const role of ["user", "reviewer"] as const) {
    await expect(importBundle((await here.person(role)).ctx, { file, owner: "me" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(writeBundle((await there.person(role)).ctx, { skills: null })).rejects.toMatchObject({
      code: "forbidden",
    });
  }
  const others = await there.person("user");
  const twin = await approvedSkill(others.ctx, reviewer.ctx, { name: "small_one" });
  const own = await there.database.reader.skill.findFirstOrThrow({
    where: { slug: { contains: "small" }, ownerKey: author.id },
  });
  await expect(writeBundle(exporter.ctx, { skills: [twin.id, own.id] })).rejects.toMatchObject({ code: "conflict" });
});

test("a version whose stored approval was changed is not exported", async () => {
  const { id, digest } = await approvedSkill(author.ctx, reviewer.ctx, { name: "tampered_one" });
  await there.database.writer.version.updateMany({ where: { digest, skillId: id }, data: { class: "mutating" } });
  await expect(writeBundle(exporter.ctx, { skills: [id] })).rejects.toMatchObject({ code: "conflict" });
});

test("playbooks and drafts: drafts stay, playbooks move", async () => {
  const upload = await zipUpload("notes", playbookFiles({ name: "tidy-more" }));
  await importSkills(author.ctx, { ...upload, owner: "me" });
  const bytes = await exported(exporter.ctx, ["tidy-more"]);
  expect(await refusal(bytes)).toBe("imported");
  expect(readFileSync(await save(bytes)).length).toBe(bytes.length);
});

test("with equal settings on both sides, the importing admin may not approve what they imported", async () => {
  await updateSettings(admin.ctx, { soloMode: false });
  const { id } = await approvedSkill(author.ctx, reviewer.ctx, { name: "not_alone" });
  const { versions } = await importBundle(admin.ctx, {
    file: await save(await exported(exporter.ctx, [id])),
    owner: "org",
  });
  const [version] = versions;
  const decide = decideVersion(admin.ctx, version?.skillId ?? "", version?.digest ?? "", {
    decision: "approve",
    comment: "",
  });
  await expect(decide).rejects.toMatchObject({ code: "separation_of_duties" });
});
