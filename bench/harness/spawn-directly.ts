import type { Start } from "./start-caller";

export type Executable = { file: string; folder: string; home: string };

/** Starts an executable directly like the worker: JSON on stdin, one JSON value from stdout. */
export function spawnDirectly({ file, folder, home }: Executable): Start {
  // The type requires NODE_ENV because Next adds it; the worker does not pass it either.
  const env = { HOME: home, TMPDIR: home, SHLVL: "1" } as unknown as NodeJS.ProcessEnv;
  return { program: file, args: [], options: { cwd: folder, env } };
}
