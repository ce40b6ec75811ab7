import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADDRESSES } from "@/app/api/generated/addresses";
import { buildBareNext } from "./harness/bare-next";
import type { BenchOptions } from "./harness/bench-options";
import { openCaller } from "./harness/call-api";
import { round } from "./harness/measure";
import { inheritedEnvironment, memoryMiBOf, requireBuild, root } from "./harness/product-processes";
import { environmentIn, startLauncher } from "./harness/start-seeded";

type Figure = { what: string; value: number; aim: number };

/**
 * What a first `npm start` costs: the bytes of the packages that running needs, the time and the bytes of a build from
 * nothing, and the memory of the web process, idle and after every GET route was asked once. The baseline is a build of
 * a bare Next application in the same run; the control is a second build, which has nothing to do.
 */
export async function benchFirstStart({ json }: BenchOptions): Promise<void> {
  requireBuild();
  const bare = buildBareNext();
  const built = buildClone();
  const memory = await measureMemory();
  const figures: Figure[] = [
    { what: "packages for npm start, MiB", value: packagesMiB(), aim: 650 },
    { what: "build, times a bare Next build", value: round(built.seconds / bare.seconds), aim: 4 },
    { what: ".next and .build, MiB", value: built.mib, aim: 150 },
    { what: "web process idle, MiB", value: memory.idle, aim: 250 },
    { what: "web process, every route asked, MiB", value: memory.asked, aim: 400 },
  ];
  for (const { what, value, aim } of figures)
    console.log(`first-start: ${what}: ${value} (aim: at most ${aim}${value <= aim ? ", met" : ", not met"})`);
  console.log(
    `first-start: a bare Next build took ${bare.seconds.toFixed(1)} s, ours ${built.seconds.toFixed(1)} s; control, built again: ${built.againSeconds.toFixed(1)} s`,
  );
  if (json) console.log(JSON.stringify({ bench: "first-start", bare: bare.seconds, built, figures }));
}

/** Builds a clone of the last commit with these packages. */
function buildClone(): { seconds: number; againSeconds: number; mib: number } {
  const clone = mkdtempSync(join(tmpdir(), "skillgate-first-start-"));
  try {
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone]);
    cpSync(join(root, "node_modules"), join(clone, "node_modules"), { recursive: true, verbatimSymlinks: true });
    const build = (code: string) => {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, ["-e", code], {
        cwd: clone,
        env: inheritedEnvironment() as NodeJS.ProcessEnv,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`The clone was not built: ${stderr.slice(-500)}`);
      return (performance.now() - startedAt) / 1000;
    };
    build('import("./bin/prepare/generate.mjs").then((prepare) => prepare.ensureGenerated())');
    const ensureBuilt = 'import("./bin/prepare/build.mjs").then((prepare) => prepare.ensureBuilt())';
    const seconds = build(ensureBuilt);
    const mib = mebibytesOf(join(clone, ".next"), join(clone, ".build"));
    return { seconds, againSeconds: build(ensureBuilt), mib };
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/**
 * Size of the installed packages in MiB, without those that the lock file marks as for development only. npm installs those
 * that are optional for another package (`devOptional`) everywhere.
 */
function packagesMiB(): number {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const folders = Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev && existsSync(join(root, path)))
    .map(([path]) => join(root, path));
  return mebibytesOf("--exclude=node_modules", ...folders);
}

function mebibytesOf(...places: string[]): number {
  const total = execFileSync("du", ["-sck", ...places], { encoding: "utf8", maxBuffer: 1 << 24 });
  return Math.round(Number(/(\d+)\s+total/.exec(total)?.[1]) / 1024);
}

async function measureMemory(): Promise<{ idle: number; asked: number }> {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-first-start-"));
  const token = "sgt_first_start_0123456789abcdefghijklmnop";
  const launcher = await startLauncher(environmentIn(folder, { password: "quiet-harbour-lantern", token }));
  try {
    const web = webProcessOf(launcher.pid);
    const caller = openCaller(launcher.url, token, 5_000);
    await caller.call("GET", "/api/ready");
    const idle = memoryMiBOf(web) ?? 0;
    for (const path of ADDRESSES.endpoints)
      await caller.call("GET", path.replaceAll(/\[[^\]]+\]/g, "x1")).catch(() => null); // Streams do not end.
    caller.close();
    return { idle, asked: memoryMiBOf(web) ?? 0 };
  } finally {
    await launcher.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function webProcessOf(launcher: number): number {
  return Number(execFileSync("pgrep", ["-P", String(launcher), "-f", "skillgate-web"], { encoding: "utf8" }).trim());
}
