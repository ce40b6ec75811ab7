import { expect, test } from "vitest";
import { sshKey } from "@/lib/testing/ssh-key";
import { testDatabase } from "@/lib/testing/test-database";
import { deleteUser } from "./people/users";
import { addSshKey, listSshKeys, removeSshKey } from "./ssh-keys";

const { database, person } = await testDatabase();
const [mara, ben] = [await person("reviewer", "Mara"), await person("reviewer", "Ben")];
const [first, second, third] = [sshKey(), sshKey(), sshKey()];

const proofOf = (key: ReturnType<typeof sshKey>, id: string) => key.sign("skillgate-key", id);
const eventsOf = async (action: string, userId: string) =>
  (await database.reader.auditEvent.findMany({ where: { action, actorId: userId } })).map(({ data }) =>
    JSON.parse(data),
  );

test("a person registers a key by a signature over their id, lists and removes it, with events", async () => {
  const key = first;
  const added = await addSshKey(mara.ctx, { name: "Laptop", proof: proofOf(key, mara.id) });
  expect(added).toMatchObject({ name: "Laptop", publicKey: key.publicKey, fingerprint: key.fingerprint });
  expect((await listSshKeys(mara.ctx)).items).toEqual([added]);
  expect((await listSshKeys(ben.ctx)).items).toEqual([]);
  const { fingerprint, publicKey } = key;
  expect(await eventsOf("ssh_key.add", mara.id)).toEqual([{ fingerprint, publicKey }]);
  await expect(removeSshKey(ben.ctx, added.id)).rejects.toMatchObject({ code: "not_found" });
  await removeSshKey(mara.ctx, added.id);
  expect((await listSshKeys(mara.ctx)).items).toEqual([]);
  expect(await eventsOf("ssh_key.remove", mara.id)).toEqual([{ fingerprint }]);
});

test("a key is registered once, and not by a signature over something else", async () => {
  const key = second;
  const add = (who: typeof mara, proof: string) => addSshKey(who.ctx, { name: "Key", proof });
  await expect(add(ben, proofOf(key, mara.id))).rejects.toMatchObject({ code: "invalid" });
  await expect(add(mara, key.sign("skillgate-approval", mara.id))).rejects.toMatchObject({ code: "invalid" });
  await expect(add(mara, key.publicKey)).rejects.toMatchObject({ code: "invalid" });
  await add(mara, proofOf(key, mara.id));
  await expect(add(mara, proofOf(key, mara.id))).rejects.toMatchObject({ code: "conflict" });
  await expect(add(ben, proofOf(key, ben.id))).rejects.toMatchObject({ code: "conflict" });
});

test("tokens register no keys, and a removed person has none", async () => {
  const [admin, zoe] = [await person("admin"), await person("user", "Zoe")];
  const given = { name: "Key", proof: proofOf(third, zoe.id) };
  await expect(addSshKey(zoe.token(["read", "write"]), given)).rejects.toMatchObject({ code: "forbidden" });
  await addSshKey(zoe.ctx, given);
  await deleteUser(admin.ctx, zoe.id);
  expect(await database.reader.sshKey.count({ where: { userId: zoe.id } })).toBe(0);
});
