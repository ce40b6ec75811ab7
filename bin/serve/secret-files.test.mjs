import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { readSecretFiles } from "./secret-files.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "skillgate-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

it("takes values from files, without the line break that editors add", () => {
  const env = { PORT: "1", SKILLGATE_METRICS_TOKEN_FILE: file("metrics", "a token\n") };
  expect(readSecretFiles(env)).toEqual({ env: { ...env, SKILLGATE_METRICS_TOKEN: "a token" }, problems: [] });
});

it("says what is wrong with each file, and never what is in it", () => {
  const { problems } = readSecretFiles({
    NEXTAUTH_SECRET_FILE: path.join(folder, "not there"),
    SKILLGATE_ADMIN_PASSWORD_FILE: file("empty", "\n"),
    SKILLGATE_ADMIN_TOKEN: "here",
    SKILLGATE_ADMIN_TOKEN_FILE: file("token", "and here"),
  });
  expect(problems).toEqual([
    `NEXTAUTH_SECRET_FILE: ${path.join(folder, "not there")} cannot be read (ENOENT)`,
    `SKILLGATE_ADMIN_PASSWORD_FILE: ${path.join(folder, "empty")} is empty`,
    "SKILLGATE_ADMIN_TOKEN and SKILLGATE_ADMIN_TOKEN_FILE: set one of them",
  ]);
});
