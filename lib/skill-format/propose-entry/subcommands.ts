import type { FoundParam } from "./found";

export const subcommandsNote =
  "Only the names of its commands were read. What follows a command is passed as it is, options included: narrow it down.";

/** The name of a command, and whatever comes after it. */
export function subcommandParams(names: readonly string[]): FoundParam[] {
  if (names.length === 0) return [];
  const command = { name: "command", kind: "positional", type: "string", required: true, choices: names } as const;
  const rest = { name: "arguments", kind: "positional", type: "string", required: false } as const;
  return [command, { ...rest, repeat: true, mayBeOption: true, help: "What follows the command." }];
}
