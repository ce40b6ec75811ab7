import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";

/**
 * The whole environment of a run: the granted variables that this worker has, and three of our own. HOME and TMPDIR point
 * to the run's private directory. SHLVL=1 keeps bash from taking the socket on its stdin for a remote shell and sourcing a
 * start-up file. Server settings, and variables that make programs load other code, are never passed.
 */
export function buildEnv(
  granted: string[],
  available: Record<string, string | undefined>,
  home: string,
  secrets: Record<string, string> = {},
): Record<string, string> {
  const passed = granted.flatMap((name) => {
    const value = isDeniedEnv(name) ? undefined : available[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...secrets, HOME: home, TMPDIR: home, SHLVL: "1" };
}
