import { readFileSync } from "node:fs";

/** Variables whose value may stand in a file instead, as containers hand secrets over: `NAME_FILE` names it. */
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
 * The environment with each of these read from its file, without the line break at the end; and what is wrong with a file
 * that cannot be read, is empty, or stands beside the variable itself.
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
