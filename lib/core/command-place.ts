import { resolve } from "node:path";

type Environment = Record<string, string | undefined>;

/** npm runs scripts in the project's folder; a relative path is meant from where it was typed. */
export function placeOf(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** The environment of a command: of the data directory that `--data` names, with nothing that leads elsewhere, else this process's. */
export function environmentFor(data: string | undefined): Environment {
  if (data === undefined) return process.env;
  return { ...process.env, SKILLGATE_DATA: placeOf(data), DATABASE_URL: undefined, SKILLGATE_KEYS: undefined };
}
