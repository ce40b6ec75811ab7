import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createCtx } from "@/lib/db/context";
import { skillMd, testCatalog } from "../testing/test-catalog";
import type { SourceKind } from "./schema";
import { deleteSource, getSource } from "./sources";
import { updateSource } from "./update-source";
import { createWebhook, deleteWebhook, getWebhook, isAuthenticHook, receiveHook } from "./webhooks";

const { source, sync, entries, settle, admin, database, events, person } = await testCatalog();
const anonymous = createCtx({ actor: { kind: "anonymous" }, database });

const SECRET = "s3cret-of-the-webhook";
const BYTES = Buffer.from('{"ref":"refs/heads/main"}');
const HMAC = createHmac("sha256", SECRET).update(BYTES).digest("hex");
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each<[SourceKind, string, string]>([
  ["github", "x-hub-signature-256", `sha256=${HMAC}`],
  ["gitlab", "x-gitlab-token", SECRET],
  ["gitea", "x-gitea-signature", HMAC],
  ["gitea", "x-forgejo-signature", HMAC],
  ["bitbucket", "x-hub-signature", `sha256=${HMAC}`],
  ["azure", "authorization", basic(`skillgate:${SECRET}`)],
  ["git", "x-hub-signature-256", `sha256=${HMAC}`],
])("a notification of %s is proven by %s and by nothing else", (kind, header, value) => {
  const asks = (headers: Record<string, string>, bytes: Uint8Array = BYTES) =>
    isAuthenticHook(kind, SECRET, { headers: new Headers(headers), bytes });
  expect(asks({ [header]: value })).toBe(true);
  expect(asks({})).toBe(false);
  expect(asks({ [header]: "" })).toBe(false);
  expect(asks({ [header]: value.replace(/.{4}$/, "abcd") })).toBe(false);
  expect(asks({ "x-other": value })).toBe(false);
  if (value.includes(HMAC)) expect(asks({ [header]: value }, Buffer.from("{}"))).toBe(false);
  // A signature of SHA-1, as GitHub also sends it, proves nothing.
  expect(asks({ "x-hub-signature": `sha1=${createHmac("sha1", SECRET).update(BYTES).digest("hex")}` })).toBe(false);
});

test("a second signature does not replace a wrong one", () => {
  const headers = new Headers({ "x-gitea-signature": "0".repeat(64), "x-hub-signature-256": `sha256=${HMAC}` });
  expect(isAuthenticHook("gitea", SECRET, { headers, bytes: BYTES })).toBe(false);
});

async function hooked() {
  const made = await source({ "a/SKILL.md": skillMd("a") });
  await sync(made.id);
  const { secret } = await createWebhook(admin, made.id);
  const sign = (key = secret) =>
    new Headers({ "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(BYTES).digest("hex")}` });
  const notify = (headers = sign(), id = made.id) => receiveHook(anonymous, { id, headers, bytes: BYTES });
  return { ...made, secret, sign, notify };
}

test("a notification begins one sync, and its content changes nothing", async () => {
  const { id, repository, notify, secret } = await hooked();
  await repository.commit({ "a/SKILL.md": skillMd("a", "After the push.") });
  await Promise.all([notify(), notify()]);
  await settle();
  await settle();
  expect((await entries(id))[0]?.description).toBe("After the push.");
  const notified = (await events(id)).filter(({ action }) => action === "catalog_source.notified");
  expect(notified).toHaveLength(1);
  expect(JSON.stringify(await database.reader.auditEvent.findMany())).not.toContain(secret);
});

test("a push during a sync is followed by another sync", async () => {
  const { id, notify } = await hooked();
  const startedAt = new Date();
  await database.writer.catalogSource.update({ where: { id }, data: { state: "running", jobId: "other", startedAt } });
  await notify();
  const { nextSyncAt } = await database.reader.catalogSource.findUniqueOrThrow({ where: { id } });
  expect(nextSyncAt?.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
  expect(nextSyncAt?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await getSource(admin, id)).toMatchObject({ state: "running", jobId: "other" });
});

test("a wrong secret, a former one, an unknown source and a removed webhook are refused with the same sentence", async () => {
  const { id, notify, sign } = await hooked();
  const refusals: string[] = [];
  const refused = async (work: Promise<void>) => {
    const error = await work.then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code: "unauthenticated" });
    refusals.push(error?.message ?? "");
  };
  await refused(notify(sign("wrong")));
  await refused(notify(new Headers()));
  await refused(notify(sign(), "unknown"));
  await createWebhook(admin, id);
  await refused(notify());
  const { secret } = await createWebhook(admin, id);
  await deleteWebhook(admin, id);
  await refused(notify(sign(secret)));
  expect(new Set(refusals).size).toBe(1);
  expect(await getSource(admin, id)).toMatchObject({ state: "idle" });
});

test("a webhook belongs to its host and its source, and admins alone set it up", async () => {
  const { id, secret, notify, sign } = await hooked();
  expect(await getWebhook(admin, id)).toMatchObject({
    isSet: true,
    url: expect.stringContaining(`/api/catalog-hooks/${id}`),
  });
  await expect(createWebhook((await person("reviewer")).ctx, id)).rejects.toMatchObject({ code: "forbidden" });
  await updateSource(admin, { id, enabled: false });
  await notify(sign(secret));
  expect(await getSource(admin, id)).toMatchObject({ state: "idle" });
  await updateSource(admin, { id, repoUrl: "https://git.other.example/acme/skills.git" });
  expect(await getWebhook(admin, id)).toMatchObject({ isSet: false });
  await createWebhook(admin, id);
  await deleteSource(admin, id);
  expect(await database.reader.secret.count({ where: { key: `catalog.webhook.${id}` } })).toBe(0);
});
