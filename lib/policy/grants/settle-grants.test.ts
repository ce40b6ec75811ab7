import { expect, test } from "vitest";
import { Grants } from "./schema";
import { settleGrants, whyNotGrant } from "./settle-grants";

const token = { slot: "API_TOKEN", credential: "deploy-key", as: "env" as const, name: "API_TOKEN" };
const file = { ...token, as: "file" as const, name: "token.txt" };
const why = (grants: Grants) => whyNotGrant("mutating", grants);

test("a credential can be granted as a variable and as a file, and is part of the signed grants", () => {
  const grants = settleGrants({ envAllow: [], timeoutSeconds: null }, { credentials: [token, file] });
  expect(why(grants)).toBeNull();
  expect(grants.credentials).toEqual([token, file]);
});

test.each([
  ["LD_PRELOAD", "never passed"],
  ["ld_library_path", "never passed"],
  ["SKILLGATE_TOKEN", "never passed"],
  ["NODE_OPTIONS", "never passed"],
  ["BASH_ENV", "never passed"],
  ["HOME", "the worker sets"],
  ["PATH", "the worker sets"],
  ["https_proxy", "the worker sets"],
])("%s can never hold a credential", (name, words) => {
  expect(why({ credentials: [{ ...token, name }] })).toEqual({
    path: "grants.credentials.0.name",
    message: expect.stringContaining(words),
  });
});

test("names are given once", () => {
  const twice = { path: "grants.credentials.1.name", message: expect.stringContaining("twice") };
  expect(why({ credentials: [token, { ...token, slot: "other", credential: "b" }] })).toEqual(twice);
  expect(why({ credentials: [file, { ...file, slot: "other", credential: "b" }] })).toEqual(twice);
  expect(why({ credentials: [token, { ...token, name: "B" }] })?.path).toBe("grants.credentials.1.slot");
  expect(why({ credentials: [token], env: ["API_TOKEN"] })?.message).toContain("already granted");
});

test("a file cannot lie below a path of the host", () => {
  for (const path of ["/", "/run", "/run/secrets"]) {
    expect(why({ credentials: [file], paths: [{ path, mode: "ro" }] })?.path).toBe("grants.credentials.0.as");
  }
  expect(why({ credentials: [file], paths: [{ path: "/run/other", mode: "ro" }] })).toBeNull();
});

test("names that are none are refused where they stand", () => {
  const problems = (change: object) =>
    Grants.safeParse({ credentials: [{ ...token, ...change }] }).error?.issues.map(({ path }) => path.join("."));
  expect(problems({ name: "A-B" })).toEqual(["credentials.0.name"]);
  expect(problems({ as: "file", name: "../x" })).toEqual(["credentials.0.name"]);
  expect(problems({ as: "file", name: ".." })).toEqual(["credentials.0.name"]);
  expect(problems({ credential: "Deploy Key" })).toEqual(["credentials.0.credential"]);
  expect(problems({ slot: " " })).toEqual(["credentials.0.slot"]);
  expect(problems({ as: "file", name: "token.txt" })).toBeUndefined();
});
