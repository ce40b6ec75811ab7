import { readdir } from "node:fs/promises";
import { delimiter } from "node:path";
import { isDeniedEnv } from "@/lib/skill-format/denied-env";

const MAX_PROGRAMS = 10_000;
const MAX_VARIABLES = 1_000;

/**
 * Names of the programs on the PATH, and of the variables that a decision could grant a run; never a value. Which of the
 * files can be executed is not asked: there are thousands, and the entry finds out.
 */
export async function findOffers(env: Record<string, string | undefined>): Promise<{ bins: string[]; env: string[] }> {
  const folders = [...new Set((env.PATH ?? "").split(delimiter).filter(Boolean))];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  const bins = [...new Set(found.flat())].filter((name) => /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(name));
  const names = Object.keys(env).filter((name) => name.length <= 200 && env[name] !== undefined && !isDeniedEnv(name));
  return { bins: bins.sort().slice(0, MAX_PROGRAMS), env: names.sort().slice(0, MAX_VARIABLES) };
}
