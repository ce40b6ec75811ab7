import type { InstallEntry } from "@/lib/skill-format/schema";

/** A package, module or address that a shell reads as one plain word. */
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

/** For a person to copy; the server never runs it. Null for an unknown kind or a target of more than one shell word. */
export function installCommand({ kind, target }: InstallEntry): string | null {
  const write = Object.hasOwn(COMMANDS, kind) ? COMMANDS[kind] : undefined;
  return write && target !== null && PLAIN.test(target) ? write(target) : null;
}
