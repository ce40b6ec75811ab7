import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../assert";
import type { ClientFolders } from "../client-folders";
import { lastLines, runProgram } from "../run-program";
import type { Scoreboard } from "../scoreboard";
import type { World } from "../world";
import { FIXTURE_SKILLS } from "./fixture-skills";
import { tokenProxy } from "./token-proxy";

const LIMIT_MS = 10 * 60_000;

const SKILLS = ["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"];

/** The runs of the suite: the scenarios of a revision, and those of the Skills extension with each revision. */
const RUNS = [
  { title: "2025-11-25", args: ["--suite", "active", "--spec-version", "2025-11-25"] },
  { title: "2026-07-28", args: ["--requirements", "2026-07-28"] },
  ...["2025-11-25", "2026-07-28"].flatMap((version) =>
    SKILLS.map((scenario) => ({
      title: `${scenario} with ${version}`,
      args: ["--scenario", scenario, "--spec-version", version, "--force"],
    })),
  ),
];

type Options = { world: World; board: Scoreboard; folders: ClientFolders; name: string; folder: string; node: string };

/**
 * Runs the official conformance suite against the product, with skills that are named as the suite expects. A scenario that fails
 * without a line in the file of expected failures fails the run, and so does a line whose scenario passes.
 */
export async function runConformance({ world, board, folders, name, folder, node }: Options): Promise<void> {
  for (const [skill, files] of Object.entries(FIXTURE_SKILLS)) await world.offer(skill, files, "public");
  const proxy = await tokenProxy({ target: world.app.url, token: world.token });
  try {
    for (const { title, args } of RUNS) {
      await board.step(name, `passes ${title}`, async () => {
        const home = folders.fresh("conformance");
        const baseline = fileURLToPath(new URL(`expected-failures-${title}.yml`, import.meta.url));
        const known = title.includes(" ") ? [] : ["--expected-failures", baseline];
        const program = join(folder, "dist", "index.js");
        const { code, output } = await runProgram(
          node,
          [program, "server", "--url", `${proxy.url}/mcp`, ...args, ...known, "--output-dir", home],
          { cwd: home, env: folders.envIn(home), limitMs: LIMIT_MS },
        );
        assert(code === 0, lastLines(output));
      });
    }
  } finally {
    proxy.close();
  }
}
