import type { Start } from "./start-caller";

export type Executable = { file: string; folder: string; home: string };

export function spawnDirectly({ file, folder, home }: Executable): Start {
  const env = { HOME: home, TMPDIR: home, SHLVL: "1" } as unknown as NodeJS.ProcessEnv;
  return { program: file, args: [], options: { cwd: folder, env } };
}
