import { expect, test } from "vitest";
import { parseEnv } from "./env";

function problemsOf(source: Record<string, string>): string[] {
  const result = parseEnv(source);
  return "problems" in result ? result.problems : [];
}

test("an empty environment has a default for everything", () => {
  const result = parseEnv({});
  expect(result).toMatchObject({ env: { PORT: 3000, HOST: "127.0.0.1", publicUrl: "http://127.0.0.1:3000" } });
});

test("every wrong variable is named at once", () => {
  const names = ["PORT", "PUBLIC_URL", "NEXTAUTH_SECRET", "SKILLGATE_ADMIN_TOKEN", "SKILLGATE_SOLO_MODE"];
  const problems = problemsOf(Object.fromEntries(names.map((name) => [name, "wrong"])));
  for (const name of names) expect(problems.join("\n")).toContain(name);
});

test("an admin needs both an address and a password, and a token needs an admin", () => {
  expect(problemsOf({ SKILLGATE_ADMIN_EMAIL: "a@example.test" })).toHaveLength(1);
  expect(problemsOf({ SKILLGATE_ADMIN_TOKEN: `sgt_${"x".repeat(40)}` })).toHaveLength(1);
});

test.each([
  [{ HOST: "0.0.0.0", PORT: "80" }, "http://127.0.0.1:80"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ PUBLIC_URL: "https://skills.example.test/" }, "https://skills.example.test"],
])("links for %o begin with %s", (source, expected) => {
  expect(parseEnv(source)).toMatchObject({ env: { publicUrl: expected } });
});

test.each([
  [{ OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "s" }, "OIDC_ISSUER"],
  [{ GOOGLE_CLIENT_ID: "c" }, "GOOGLE_CLIENT_SECRET"],
  [{ GITHUB_CLIENT_SECRET: "s" }, "GITHUB_CLIENT_ID"],
  [{ GITHUB_CLIENT_ID: "c", GITHUB_CLIENT_SECRET: "s", GITHUB_URL: "https://github.example.test" }, "GITHUB_API_URL"],
  [{ GITHUB_CLIENT_ID: "c", GITHUB_CLIENT_SECRET: "s", GITHUB_API_URL: "https://api.example.test" }, "GITHUB_URL"],
  [{ OIDC_ISSUER: "http://login.example.test", OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "s" }, "https"],
  [{ OIDC_SCOPE: "email" }, "openid"],
])("a provider that is set by halves, %o, is a problem that names %s", (source, named) => {
  const [problem, ...others] = problemsOf(source as unknown as Record<string, string>);
  expect(problem).toContain(named);
  expect(others).toEqual([]);
});

test("a wrong item of the ranges that are open is named at the start", () => {
  expect(parseEnv({ SKILLGATE_OUTGOING_RANGES: "127.0.0.1, 10.0.0.0/40" })).toEqual({
    problems: ["SKILLGATE_OUTGOING_RANGES: “10.0.0.0/40” is not an address range such as 10.0.0.0/8 or fd00::/8"],
  });
  expect(parseEnv({ SKILLGATE_OUTGOING_RANGES: "127.0.0.1, fd00::/8" })).toHaveProperty("env");
});
