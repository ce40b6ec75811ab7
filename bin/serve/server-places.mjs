import { readdirSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { secretNames } from "./secret-files.mjs";

/**
 * Absolute paths that no run may see: data, keys, backups, database, files of secrets and settings. `env` is the
 * environment before secret files were read.
 */
export function serverPlaces(env) {
  const data = path.resolve(env.SKILLGATE_DATA);
  const backups = env.SKILLGATE_BACKUPS || path.join(path.dirname(data), `${path.basename(data)}-backups`);
  const named = Object.entries(env).filter(([name, value]) => isSecretFile(name) && value);
  const settings = readdirSync(root).filter((name) => /^\.env(\.|$)/.test(name) && name !== ".env.example");
  return [
    data,
    path.resolve(backups),
    ...(env.SKILLGATE_KEYS ? [path.resolve(env.SKILLGATE_KEYS)] : []),
    ...databasePlaces(env.DATABASE_URL),
    ...named.map(([, value]) => path.resolve(value)),
    ...(env.SKILLGATE_TRUSTED_DIGESTS ? [path.resolve(env.SKILLGATE_TRUSTED_DIGESTS)] : []),
    ...settings.map((name) => path.join(root, name)),
  ];
}

/** Runs need other files in variables, such as SSL_CERT_FILE. */
function isSecretFile(name) {
  return secretNames.some((secret) => name === `${secret}_FILE`) || /^SKILLGATE_\w+_FILE$/.test(name);
}

/** Folder of a database file with its log; in a system folder only the files themselves. */
function databasePlaces(url = "") {
  if (!url.startsWith("file:")) return [];
  const file = path.resolve(root, url.slice("file:".length).replace(/\?.*$/, ""));
  const folder = path.dirname(file);
  const isOfSystem = folder === "/" || path.dirname(folder) === "/";
  return isOfSystem ? ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`) : [folder];
}
