import type { InstallEntry } from "@/lib/skill-format/schema";

/** A package, module or address without anything a shell would read as more than one plain word. */
const PLAIN = /^[A-Za-z0-9@][A-Za-z0-9@._/:+~^=-]*$/;

const COMMANDS: Record<string, (target: string) => string> = {
  brew: (target) => `brew install ${target}`,
  apt: (target) => `sudo apt-get install ${target}`,
  node: (target) => `npm install -g ${target}`,
  npm: (target) => `npm install -g ${target}`,
  go: (target) => `go install ${target.includes("@") ? target : `${target}@latest`}`,
  uv: (target) => `uv tool install ${target}`,
  download: (target) => `curl -fLO ${target}`,
};

/**
 * The command for a way to install what a skill requires, for a person to copy; nothing here runs it. Null for a kind that is
 * not known and for a target that is more than one plain word, since it would then run something else.
 */
export function installCommand({ kind, target }: InstallEntry): string | null {
  const write = Object.hasOwn(COMMANDS, kind) ? COMMANDS[kind] : undefined;
  return write && target !== null && PLAIN.test(target) ? write(target) : null;
}
