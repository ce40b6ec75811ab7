import { expect, test } from "vitest";
import { decideDeviceLogin } from "@/lib/auth/device-login";
import { sha256Hex } from "@/lib/core/hash";
import { createCtx } from "@/lib/db/context";
import { testServer } from "@/lib/testing/test-server";
import * as code from "./device/code/route";
import * as token from "./device/token/route";

const { call, person, database } = await testServer([
  ["/api/cli/device/code", code],
  ["/api/cli/device/token", token],
]);
const grant_type = "urn:ietf:params:oauth:grant-type:device_code";

async function begin(body: object = { scope: "read write", label: "clawhub on laptop" }) {
  const answer = await call("POST", "/api/cli/device/code", { json: body });
  return (await answer.json()) as Record<"device_code" | "user_code" | "verification_uri", string> & {
    interval: number;
  };
}
async function poll(deviceCode: string): Promise<{ status: number; access_token?: string }> {
  const answer = await call("POST", "/api/cli/device/token", { json: { device_code: deviceCode, grant_type } });
  return { status: answer.status, ...((await answer.json()) as Record<string, string>) };
}
async function browserOf() {
  const { id } = await person("admin");
  const { name, email } = await database.reader.user.findUniqueOrThrow({ where: { id } });
  const actor = { kind: "user" as const, userId: id, name, email, role: "admin" as const, sessionId: "s" };
  return { id, ctx: createCtx({ actor, database }) };
}

test("a program that was let in gets one ordinary token with what was shown, once", async () => {
  const { id, ctx } = await browserOf();
  const begun = await begin();
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: "http://127.0.0.1:3000/cli/device",
  });
  expect(await poll(begun.device_code)).toEqual({ status: 400, error: "authorization_pending" });
  expect(await poll(begun.device_code)).toEqual({ status: 400, error: "slow_down" });
  await decideDeviceLogin(ctx, begun.user_code, { decision: "approve" });
  const given = await poll(begun.device_code);
  expect(given).toMatchObject({ status: 200, token_type: "Bearer", scope: "read write" });
  const row = await database.reader.apiToken.findUniqueOrThrow({
    where: { secretHash: sha256Hex(given.access_token ?? "") },
  });
  expect(row).toMatchObject({ userId: id, name: "clawhub on laptop (by code)", scopes: '["read","write"]' });
  expect(await poll(begun.device_code)).toEqual({ status: 400, error: "expired_token" });
  await expect(decideDeviceLogin(ctx, begun.user_code, { decision: "approve" })).rejects.toThrow(
    "No program is waiting",
  );
});

test("who is turned away, too late or made up gets nothing", async () => {
  const { ctx } = await browserOf();
  const refused = await begin();
  await decideDeviceLogin(ctx, refused.user_code, { decision: "deny" });
  expect(await poll(refused.device_code)).toEqual({ status: 400, error: "access_denied" });
  const late = await begin();
  await database.writer.deviceLogin.updateMany({
    where: { userCode: late.user_code },
    data: { expiresAt: new Date(0) },
  });
  expect(await poll(late.device_code)).toEqual({ status: 400, error: "expired_token" });
  await expect(decideDeviceLogin(ctx, late.user_code, { decision: "approve" })).rejects.toThrow(
    "No program is waiting",
  );
  expect(await poll("made-up")).toEqual({ status: 400, error: "expired_token" });
});

test("it never gets the right to decide, and nothing when its person was disabled meanwhile", async () => {
  const { id, ctx } = await browserOf();
  const begun = await begin({ scope: "read review admin", label: "\u202eevil\n" });
  const row = await database.reader.deviceLogin.findUniqueOrThrow({ where: { userCode: begun.user_code } });
  expect([row.scopes, row.clientName]).toEqual(['["read"]', "evil"]);
  await decideDeviceLogin(ctx, begun.user_code, { decision: "approve" });
  await database.writer.user.update({ where: { id }, data: { state: "disabled" } });
  expect(await poll(begun.device_code)).toEqual({ status: 400, error: "access_denied" });
});
