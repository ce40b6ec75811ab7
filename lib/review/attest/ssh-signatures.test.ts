import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addSshKey, listSshKeys, removeSshKey } from "@/lib/auth/ssh-keys";
import { newId } from "@/lib/core/ids";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { sshKey } from "@/lib/testing/ssh-key";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "../decide-version";
import { loadAttestationKeys, revokeAttestationKey } from "./attestation-keys";
import { exportAttestation, readAttestation } from "./attestations";
import { signedBytes } from "./dsse";
import type { ApprovalAttestation, Envelope, SshSignatureList } from "./schema";
import { addSshSignature, exportSignedBytes, listSshSignatures } from "./ssh-signatures";
import { verifySshSignatures } from "./verify-envelope";

const { person, database, folder: keyFolder } = await testDatabase();
const admin = await person("admin", "Tomas");
const [mara, ben] = [await person("reviewer", "Mara"), await person("reviewer", "Ben")];
await updateSettings(admin.ctx, { soloMode: false });
const [keyOfMara, keyOfBen, foreignKey] = [sshKey(), sshKey(), sshKey()];

const NAMESPACE = "skillgate-approval";
const register = (who: typeof mara, key: typeof keyOfMara) =>
  addSshKey(who.ctx, { name: "Laptop", proof: key.sign("skillgate-key", who.id) });
beforeAll(async () => {
  await register(mara, keyOfMara);
  await register(ben, keyOfBen);
  await register(admin, foreignKey);
});

const work = mkdtempSync(join(tmpdir(), "skillgate-signed-"));
afterAll(() => rmSync(work, { recursive: true }));

async function approved(name: string) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${name}\ncat\n`, manifest: { class: "dangerous" } });
  const [skill] = (await importSkills(admin.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const place = { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
  for (const { ctx } of [mara, ben])
    await decideVersion(ctx, place.id, place.digest, { decision: "approve", comment: "read all of it" });
  return place;
}
type Place = Awaited<ReturnType<typeof approved>>;

const signatureOf = async (key: typeof keyOfMara, place: Place) =>
  key.sign(NAMESPACE, await exportSignedBytes(admin.ctx, place));
const add = (who: typeof mara, place: Place, signature: string) => addSshSignature(who.ctx, { ...place, signature });

test("an approver adds their own signature, which is served beside the envelope with an audit event", async () => {
  const place = await approved("signed");
  expect(await listSshSignatures(admin.ctx, place)).toEqual({ items: [] });
  const signature = await signatureOf(keyOfMara, place);
  const added = await add(mara, place, signature);
  const { publicKey, fingerprint } = keyOfMara;
  expect(added).toMatchObject({ signer: { id: mara.id, name: "Mara" }, publicKey, fingerprint, signature });
  expect((await listSshSignatures(admin.ctx, place)).items).toEqual([added]);
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { action: "version.sign", skillId: place.id },
  });
  expect(event).toMatchObject({ actorId: mara.id, skillId: place.id, versionDigest: place.digest });
  expect(JSON.parse(event.data)).toMatchObject({ fingerprint, publicKey, signature });
  await expect(add(mara, place, signature)).rejects.toMatchObject({ code: "conflict" });
  await add(ben, place, await signatureOf(keyOfBen, place));
  expect((await listSshSignatures(admin.ctx, place)).items.map(({ signer }) => signer.name)).toEqual(["Mara", "Ben"]);
});

test("only an approver adds a signature, by a registered key of their own, over these bytes", async () => {
  const [place, other] = [await approved("checked"), await approved("other")];
  const signature = await signatureOf(keyOfMara, place);
  await expect(add(admin, place, await signatureOf(foreignKey, place))).rejects.toMatchObject({ code: "forbidden" });
  await expect(add(ben, place, signature)).rejects.toMatchObject({ code: "invalid" });
  await expect(add(mara, other, signature)).rejects.toMatchObject({ code: "invalid" });
  await expect(add(mara, place, keyOfMara.sign("git", "x"))).rejects.toMatchObject({ code: "invalid" });
  const reader = { ...mara, ctx: mara.token(["read", "review"]) };
  await expect(add(reader, place, signature)).rejects.toMatchObject({ code: "forbidden" });
  expect((await listSshSignatures(admin.ctx, place)).items).toEqual([]);
  expect(await database.reader.auditEvent.count({ where: { action: "version.sign", skillId: place.id } })).toBe(0);
  await add({ ...mara, ctx: mara.token(["read", "write", "review"]) }, place, signature);
});

test("a signature stays when its key is removed, and not with the approval", async () => {
  const place = await approved("kept");
  await add(mara, place, await signatureOf(keyOfMara, place));
  const [key] = (await listSshKeys(mara.ctx)).items;
  await removeSshKey(mara.ctx, key?.id ?? "");
  expect((await listSshSignatures(admin.ctx, place)).items).toHaveLength(1);
  await register(mara, keyOfMara);
  await decideVersion(mara.ctx, place.id, place.digest, { decision: "revoke", comment: "no" });
  await expect(listSshSignatures(admin.ctx, place)).rejects.toMatchObject({ code: "not_found" });
});

test("a stored signature that was changed is an error and not left out", async () => {
  const place = await approved("row_changed");
  await add(mara, place, await signatureOf(keyOfMara, place));
  const row = await database.reader.sshSignature.findFirstOrThrow({ where: { version: { skillId: place.id } } });
  const foreign = await signatureOf(foreignKey, place);
  for (const data of [
    { signature: foreign },
    { signature: row.signature.replace("A", "B") },
    { signature: "" },
    { userId: admin.id },
  ]) {
    await database.writer.sshSignature.update({ where: { id: row.id }, data });
    await expect(listSshSignatures(admin.ctx, place)).rejects.toMatchObject({ code: "version_tampered" });
    await database.writer.sshSignature.update({
      where: { id: row.id },
      data: { signature: row.signature, userId: mara.id },
    });
  }
  expect((await listSshSignatures(admin.ctx, place)).items).toHaveLength(1);
});

test.each(["userId", "userName"] as const)(
  "a stored signature that names another approver (%s) is an error",
  async (column) => {
    const place = await approved(`exchanged_${column.toLowerCase()}`);
    await add(mara, place, await signatureOf(keyOfMara, place));
    const where = { version: { skillId: place.id } };
    await database.writer.sshSignature.updateMany({ where, data: { [column]: column === "userId" ? ben.id : "Ben" } });
    await expect(listSshSignatures(admin.ctx, place)).rejects.toMatchObject({ code: "version_tampered" });
  },
);

test("an agent reads the signatures, and a person without a right to the skill does not", async () => {
  const place = await approved("for_agents");
  await add(mara, place, await signatureOf(keyOfMara, place));
  const at = new Date();
  const persona = { id: newId(), name: "helper", permissionMode: "dual-sign-required", allow: "[]", deny: "[]" };
  await database.writer.persona.create({ data: { ...persona, createdAt: at, updatedAt: at } });
  expect((await listSshSignatures(admin.token(["read"], persona.id), place)).items).toHaveLength(1);
  const stranger = await person("user");
  await expect(listSshSignatures(stranger.ctx, place)).rejects.toMatchObject({ code: "not_found" });
});

type Held = { envelope: Envelope; attestation: ApprovalAttestation; list: SshSignatureList; allowedSigners: string };
let held: Held;
let other: Held;
async function hold(place: Place): Promise<Held> {
  await add(mara, place, await signatureOf(keyOfMara, place));
  const envelope = await exportAttestation(admin.ctx, place.id, place.digest);
  const allowedSigners = `# people\nmara@example.com namespaces="${NAMESPACE}" ${keyOfMara.publicKey} laptop\n`;
  return {
    envelope,
    attestation: readAttestation(envelope),
    list: await listSshSignatures(admin.ctx, place),
    allowedSigners,
  };
}
beforeAll(async () => {
  held = await hold(await approved("held"));
  other = await hold(await approved("held_other"));
});

/** The step of docs/attestations.md: whether `ssh-keygen` accepts the first signature. */
function askSshKeygen({ envelope, list, allowedSigners }: Held): boolean {
  const write = (name: string, text: string) => writeFileSync(join(work, name), text);
  write("attestation.json", JSON.stringify(envelope));
  write("signatures.json", JSON.stringify(list));
  write("allowed_signers", allowedSigners);
  const steps = /```sh\n(# The bytes that approvers sign[\s\S]*?)```/.exec(
    readFileSync("docs/attestations.md", "utf8"),
  );
  return spawnSync("bash", ["-euo", "pipefail", "-c", steps?.[1] ?? "false"], { cwd: work }).status === 0;
}

test("ssh-keygen and npm run verify-approval accept the signature offline", () => {
  expect(askSshKeygen(held)).toBe(true);
  const { fingerprint } = keyOfMara;
  expect(verifySshSignatures(held)).toEqual({
    problem: null,
    signed: [{ principal: "mara@example.com", fingerprint, as: "Mara" }],
  });
});

const withPayload = (change: (payload: ApprovalAttestation) => void): Held => {
  const payload = readAttestation(held.envelope);
  change(payload);
  return { ...held, envelope: { ...held.envelope, payload: Buffer.from(JSON.stringify(payload)).toString("base64") } };
};
const withItem = (change: object): Held => ({
  ...held,
  list: { items: held.list.items.map((item) => ({ ...item, ...change })) },
});
const signedAs = (namespace: string, message: string | Uint8Array) =>
  withItem({ signature: keyOfMara.sign(namespace, message) });
const payloadOf = () => Buffer.from(held.envelope.payload, "base64");

const CHANGES: [what: string, change: () => Held][] = [
  ["the digest of the version", () => withPayload(({ predicate }) => set(predicate.version, "digest", "0".repeat(64)))],
  ["the digest of a file", () => withPayload(({ subject }) => set(subject[1]?.digest, "sha256", "0".repeat(64)))],
  ["the name of a file", () => withPayload(({ subject }) => set(subject[1], "name", "other.sh"))],
  ["a file that is left out", () => withPayload(({ subject }) => subject.pop())],
  ["the skill", () => withPayload(({ predicate }) => set(predicate.skill, "name", "other"))],
  ["who approved", () => withPayload(({ predicate }) => set(predicate.approvers[0], "name", "Eve"))],
  ["when", () => withPayload(({ predicate }) => set(predicate, "approvedAt", "2020-01-01T00:00:00.000Z"))],
  ["the class", () => withPayload(({ predicate }) => set(predicate, "class", "safe"))],
  ["the grants", () => withPayload(({ predicate }) => set(predicate, "grants", { network: ["*"] }))],
  ["the policy", () => withPayload(({ predicate }) => set(predicate.policy, "signaturesNeeded", 1))],
  ["the payload type", () => ({ ...held, envelope: { ...held.envelope, payloadType: "application/json" } })],
  ["the envelope", () => ({ ...held, envelope: other.envelope })],
  ["the signature", () => ({ ...held, list: other.list })],
  ["a byte of the signature", () => withItem({ signature: held.list.items[0]?.signature.replace(/.(?=.\n-)/, "") })],
  ["the namespace", () => signedAs("git", "x")],
  ["the payload without its type", () => signedAs(NAMESPACE, payloadOf())],
  ["a signature by another key", () => withItem({ signature: foreignKey.sign(NAMESPACE, payloadOf()) })],
  ["the allowed key", () => ({ ...held, allowedSigners: `mara@example.com ${keyOfBen.publicKey}\n` })],
  ["the allowed namespace", () => ({ ...held, allowedSigners: held.allowedSigners.replace(NAMESPACE, "git") })],
  ["the allowed signers, emptied", () => ({ ...held, allowedSigners: "" })],
  ["no signature", () => ({ ...held, list: { items: [] } })],
];

function set<T extends object>(target: T | undefined, name: keyof T, value: T[keyof T]): void {
  if (target === undefined || target[name] === value) throw new Error("nothing would change");
  target[name] = value;
}

test.each(CHANGES)("%s, when changed, is refused by ssh-keygen and by ours", (_what, change) => {
  const changed = change();
  expect(askSshKeygen(changed)).toBe(false);
  expect(verifySshSignatures(changed).problem).not.toBeNull();
});

test.each([
  ["one person twice", () => ({ ...held, list: { items: [...held.list.items, ...held.list.items] } })],
  [
    "two people who signed as one approver",
    () => ({
      ...held,
      list: {
        items: held.list.items.flatMap((item) => [
          item,
          { ...item, signature: foreignKey.sign(NAMESPACE, signedBytes(held.envelope.payloadType, payloadOf())) },
        ]),
      },
      allowedSigners: `${held.allowedSigners}eve@example.com ${foreignKey.publicKey}\n`,
    }),
  ],
  ["someone who did not approve", () => withItem({ signer: { id: admin.id, name: "Tomas" } })],
  [
    "an option that is not supported",
    () => ({ ...held, allowedSigners: `mara cert-authority ${keyOfMara.publicKey}` }),
  ],
])("ours refuses %s", (_what, change) => {
  expect(verifySshSignatures(change()).problem).not.toBeNull();
});

// Last, because it changes the keys of all tests.
test("after the key of envelopes was revoked, approvers sign the new bytes", async () => {
  const place = await approved("signed_again");
  await add(mara, place, await signatureOf(keyOfMara, place));
  const [newest] = await loadAttestationKeys(keyFolder, new Date());
  await revokeAttestationKey(keyFolder, { at: new Date(), keyId: newest?.keyId ?? "" });
  expect((await listSshSignatures(admin.ctx, place)).items).toEqual([]);
  await add(mara, place, await signatureOf(keyOfMara, place));
  expect((await listSshSignatures(admin.ctx, place)).items).toHaveLength(1);
});
