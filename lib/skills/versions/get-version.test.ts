import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect, test } from "vitest";
import { PatchSettingsInput } from "@/lib/settings/schema";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills, previewImport } from "@/lib/skills/transfer/import-skills";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { getVersion } from "./get-version";

const { person } = await testDatabase();
const [admin, user] = [await person("admin"), await person()];
const ada = generateKeyPairSync("ed25519");
const stranger = generateKeyPairSync("ed25519");

const rawOf = (key: KeyObject) => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");

type Files = ReturnType<typeof packFiles>;

/**
 * Signs as docs/reviewers.md tells authors: sign the digest of the files with an empty signature, then write the signature into
 * them.
 */
async function signed(files: Files, key: KeyObject): Promise<Files> {
  const upload = await zipUpload("signed", files);
  const [preview] = (await previewImport(user.ctx, { ...upload, owner: "me" })).skills;
  const text = `skillgate-author-signature-1\n${preview?.digest}\n`;
  const signature = sign(null, Buffer.from(text), key).toString("base64");
  return files.map((file) => ({
    ...file,
    bytes: new Uint8Array(
      Buffer.from(
        Buffer.from(file.bytes)
          .toString()
          .replace(/("?signature"?: ?)""/, (_, key) => `${key}"${signature}"`),
      ),
    ),
  }));
}

async function signatureOf(files: Files) {
  const { skills } = await importSkills(user.ctx, { ...(await zipUpload("signed", files)), owner: "me" });
  const [skill] = skills;
  return (await getVersion(user.ctx, skill?.id ?? "", skill?.pendingVersion?.digest ?? "")).signature;
}

const pack = (name: string) => packFiles({ name, manifest: { signature: "" } });
const playbook = (name: string) => playbookFiles({ name, more: 'signature: ""\n' });

test("what is not signed says so", async () => {
  expect(await signatureOf(pack("plain_pack"))).toMatchObject({ state: "unsigned", key: null });
});

test("a signature counts with a key that an admin names, and covers every file", async () => {
  const files = await signed(pack("ada_pack"), ada.privateKey);
  expect(await signatureOf(files)).toMatchObject({ state: "unknown_key", key: null });
  await updateSettings(admin.ctx, { authorKeys: `ada=${rawOf(ada.publicKey)}` });
  expect(await signatureOf(files)).toMatchObject({ state: "valid", key: "ada" });
  const changed = files.map((file) =>
    file.path === "run.sh" ? { ...file, bytes: new Uint8Array(Buffer.from("#!/bin/sh\necho other\n")) } : file,
  );
  expect(await signatureOf(changed)).toMatchObject({ state: "unknown_key", key: null });
  const moved = files.map((file) => (file.path === "run.sh" ? { ...file, mode: "755" as const } : file));
  expect(await signatureOf([...moved, { path: "extra.txt", mode: "644", bytes: new Uint8Array([1]) }])).toMatchObject({
    state: "unknown_key",
  });
});

test("a playbook is signed the same way", async () => {
  await updateSettings(admin.ctx, { authorKeys: `ada=${rawOf(ada.publicKey)}` });
  expect(await signatureOf(await signed(playbook("ada-notes"), ada.privateKey))).toMatchObject({ state: "valid" });
});

test("a key that is named before the signature tells a wrong one from an unknown one", async () => {
  await updateSettings(admin.ctx, { authorKeys: `ada=${rawOf(ada.publicKey)}` });
  const named = async (name: string, by: string, key: KeyObject) =>
    (await signed(pack(name), key)).map((file) => ({
      ...file,
      bytes: new Uint8Array(
        Buffer.from(
          Buffer.from(file.bytes)
            .toString()
            .replace(/("signature": ?")/, `$1${by}:`),
        ),
      ),
    }));
  expect(await signatureOf(await named("named_one", "ada", ada.privateKey))).toMatchObject({
    state: "valid",
    key: "ada",
  });
  expect(await signatureOf(await named("named_two", "ada", stranger.privateKey))).toMatchObject({
    state: "invalid",
    key: "ada",
  });
  expect(await signatureOf(await named("named_three", "bob", stranger.privateKey))).toMatchObject({
    state: "unknown_key",
  });
});

test.each(["abc", "not base64!", "A".repeat(88), "ada:"])(
  "what cannot be a signature is invalid: %s",
  async (signature) => {
    const name = `odd_${Buffer.from(signature).toString("hex").slice(0, 12)}`;
    expect(await signatureOf(packFiles({ name, manifest: { signature } }))).toMatchObject({ state: "invalid" });
  },
);

test("a signature whose text stands twice in the manifest is invalid", async () => {
  await updateSettings(admin.ctx, { authorKeys: `ada=${rawOf(ada.publicKey)}` });
  const files = await signed(pack("twice_pack"), ada.privateKey);
  const twice = files.map((file) => {
    const text = Buffer.from(file.bytes).toString();
    const value = /"signature": ?"([^"]+)"/.exec(text)?.[1];
    return value ? { ...file, bytes: new Uint8Array(Buffer.from(text.replace("{", `{"note":"${value}",`))) } : file;
  });
  expect(await signatureOf(twice)).toMatchObject({ state: "invalid" });
});

test.each(["ada", "ada=abc", `a b=${"A".repeat(43)}=`, `ada=${"A".repeat(43)}=,ada=${"A".repeat(43)}=`])(
  "keys that are none are refused: %s",
  (authorKeys) => {
    expect(PatchSettingsInput.safeParse({ authorKeys }).success).toBe(false);
  },
);
