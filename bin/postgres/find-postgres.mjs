import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { showProgress } from "../prepare/progress.mjs";
import { canUseApt, installWithApt } from "../test/install-with-apt.mjs";

const debian = "/usr/lib/postgresql";

/**
 * Finds the folder of PostgreSQL's programs and installs them if needed. Resolves with `{ folder }` or `{ problem }`.
 */
export async function findOrInstallPostgres(env = process.env) {
  const found = findPostgres(env);
  if (found) return { folder: found };
  const advice =
    "No PostgreSQL server was found. Install one (15 or newer), or set POSTGRES_BIN to the folder of initdb.";
  if (!canUseApt()) return { problem: advice };
  const { output } = await showProgress("Installing PostgreSQL", () => installWithApt("postgresql"));
  const folder = findPostgres(env);
  return folder ? { folder } : { problem: `${output.trimEnd().split("\n").slice(-10).join("\n")}\n${advice}` };
}

function findPostgres(env) {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(env.POSTGRES_BIN ? [env.POSTGRES_BIN] : versions.map((version) => path.join(debian, version, "bin"))),
    ...(env.PATH ?? "").split(path.delimiter),
  ];
  return places.find((place) => place && ["initdb", "postgres"].every((name) => existsSync(path.join(place, name))));
}
