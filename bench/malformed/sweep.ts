import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BUILD_OUTPUT = "( -name node_modules -o -name .next* -o -name .git )";

type Sweep = {
  /** Files outside the data directory that were created or changed since the start, or whose name contains the marker. */
  find(): string[];
};

/** Marks the start time, for a later search for files outside the data directory. */
export function startSweep({ folder, marker, product }: { folder: string; marker: string; product: string }): Sweep {
  const canary = join(folder, "canary");
  mkdirSync(canary, { recursive: true });
  writeFileSync(join(canary, "file"), marker);
  const stamp = join(folder, "stamp");
  writeFileSync(stamp, "");
  const wasAt = statSync(join(canary, "file")).mtimeMs;
  const ours = [join(folder, "data"), join(folder, "work"), stamp];
  const prune = ours.flatMap((path) => ["-path", path, "-prune", "-o"]);
  return {
    find: () => [
      ...list([..."/ -xdev ( -path /proc -o -path /sys ) -prune -o -name".split(" "), `*${marker}*`, "-print"]),
      ...list([folder, ...prune, "-type", "f", "-newer", stamp, "-print"]),
      ...list(["/etc", "/usr/local", "/opt", "-xdev", "-type", "f", "-newer", stamp, "-print"]),
      ...list([product, ...BUILD_OUTPUT.split(" "), "-prune", "-o", "-type", "f", "-newer", stamp, "-print"]),
      ...(statSync(join(canary, "file")).mtimeMs === wasAt ? [] : [join(canary, "file")]),
    ],
  };
}

function list(given: string[]): string[] {
  try {
    return execFileSync("find", given, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch (error) {
    // Folders that vanish during the search make `find` fail after it has printed its results.
    const { stdout } = error as { stdout?: string };
    return (stdout ?? "").split("\n").filter(Boolean);
  }
}
