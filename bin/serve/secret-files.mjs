import { readFileSync } from "node:fs";

/** Variables that can be given as files, as containers do with secrets: `NAME_FILE` is the path. */
export const secretNames = [
  "DATABASE_URL",
  "NEXTAUTH_SECRET",
  "SKILLGATE_ADMIN_PASSWORD",
  "SKILLGATE_ADMIN_TOKEN",
  "SKILLGATE_METRICS_TOKEN",
  "OIDC_CLIENT_SECRET",
  "GOOGLE_CLIENT_SECRET",
  "GITHUB_CLIENT_SECRET",
];

/**
 * Environment with these variables read from their files, without the final line break; and the problems of files that
 * are unreadable, empty, or set together with the variable.
 */
export function readSecretFiles(env) {
  const problems = [];
  const read = {};
  for (const name of secretNames) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) {
      problems.push(`${name} and ${name}_FILE: set one of them`);
      continue;
    }
    try {
      const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (text === "") problems.push(`${name}_FILE: ${file} is empty`);
      else read[name] = text;
    } catch (error) {
      problems.push(`${name}_FILE: ${file} cannot be read (${error.code ?? error.message})`);
    }
  }
  return { env: { ...env, ...read }, problems };
}
