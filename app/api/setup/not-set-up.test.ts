import { expect, test } from "vitest";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "../testing/route-table";

const { call, person } = await testServer(ROUTE_TABLE);

test("a server without an admin says so to callers who would have to sign in, until it has one", async () => {
  const ask = async () => (await call("GET", "/api/skills")).json();
  expect(await ask()).toMatchObject({ status: 401, code: "unauthenticated" });
  expect((await ask()).detail).toBe("This server is not set up yet. Open the set-up link in its log.");
  await person("user");
  expect((await ask()).detail).toContain("not set up");
  await person("admin");
  expect((await ask()).detail).toBe("Sign in, or send a bearer token.");
});
