import { isExecutable } from "@/lib/core/is-executable";
import { type EntryProcess, entryCommand, type Launch, readFirstLine } from "../spawn-entry";
import type { Starter } from "./open-starter";

/**
 * Starts an entry without isolation by a starter; null when there is none or it is not sure that the kernel will start it,
 * for then the reason is better known to who calls the kernel.
 */
export async function startOnHost(
  starter: Starter | null | undefined,
  { entryPath, skillDir, env, words = null }: Launch,
): Promise<EntryProcess | null> {
  if (!starter) return null;
  const command = words ?? entryCommand(entryPath, process.execPath);
  const interpreter = words ? words[0] : /^#!\s*(\/[^\s\r]+)(?:[ \t][^\r]*)?$/.exec(readFirstLine(entryPath))?.[1];
  const isSure = interpreter?.startsWith("/") && isExecutable(interpreter);
  return isSure ? starter.start(command, { env, cwd: skillDir }) : null;
}
