import { readdirSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { secretNames } from "./secret-files.mjs";

/**
 * The folders and files of the server that no run may see, absolute: data, keys, backups, database, files of secrets and of
 * settings. `env` is the environment as it was before the files of secrets were read.
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

/** Other files that variables name, such as SSL_CERT_FILE, are ones that runs need. */
function isSecretFile(name) {
  return secretNames.some((secret) => name === `${secret}_FILE`) || /^SKILLGATE_\w+_FILE$/.test(name);
}

/** The folder of a database file, where its log lies too; in a folder of the system only the files themselves. */
function databasePlaces(url = "") {
  if (!url.startsWith("file:")) return [];
  const file = path.resolve(root, url.slice("file:".length).replace(/\?.*$/, ""));
  const folder = path.dirname(file);
  const isOfSystem = folder === "/" || path.dirname(folder) === "/";
  return isOfSystem ? ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`) : [folder];
}
