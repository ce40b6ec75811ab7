import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PackFile } from "../fixtures/api";
import { assert } from "./assert";
import type { ClientFolders } from "./client-folders";
import { lastLines, runProgram } from "./run-program";
import { playbook, type World } from "./world";

const SKILLS = 100;

type Options = { world: World; folders: ClientFolders; folder: string; node: string; realSkills: string | undefined };

/**
 * Offers a hundred skills, those of a folder if there is one, and lets the official inspector list them all and compare every file with
 * its digest.
 */
export async function verifyWithInspector({ world, folders, folder, node, realSkills }: Options): Promise<void> {
  const skills = realSkills === undefined ? madeSkills() : readSkills(realSkills);
  let offered = 0;
  const refused: string[] = [];
  for (const [name, files] of skills) {
    // Not every real skill is eligible on this machine.
    if (offered === (realSkills === undefined ? SKILLS : 2 * SKILLS)) break;
    try {
      await world.offer(name, files, "public");
      offered += 1;
    } catch (error) {
      if (realSkills === undefined) throw error;
      refused.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  for (const line of refused) console.log(`not offered  ${line.slice(0, 300)}`);
  const home = folders.fresh("inspector");
  const program = join(folder, "clients", "launcher", "build", "index.js");
  const target = ["--cli", `${world.app.url}/mcp`, "--transport", "http"];
  const header = ["--header", `Authorization: Bearer ${world.token}`];
  const { code, output } = await runProgram(
    node,
    [program, ...target, ...header, "--method", "skills/list", "--verify", "--require-digests"],
    { cwd: home, env: folders.envIn(home) },
  );
  assert(code === 0, lastLines(output));
  const verified = Number(/Verified (\d+) skills/.exec(output)?.[1] ?? 0);
  assert(verified >= SKILLS, `it verified ${verified} skills: ${lastLines(output)}`);
}

function* madeSkills(): Generator<[name: string, files: PackFile[]]> {
  for (let index = 0; index < SKILLS; index++) {
    const name = `reef-notes-${index}`;
    // A script that no reviewer granted would withhold the skill.
    const files = playbook(name, "one").filter(({ path }) => !path.startsWith("scripts/"));
    yield [name, [...files, { path: "assets/pixel.bin", text: new Uint8Array([index, 0, 255]) }]];
  }
}

/** The folders below this one that have a SKILL.md. */
function* readSkills(folder: string): Generator<[name: string, files: PackFile[]]> {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const at = join(folder, name);
    if (!existsSync(join(at, "SKILL.md"))) continue;
    const paths = readdirSync(at, { recursive: true, encoding: "utf8" }).filter((path) =>
      statSync(join(at, path)).isFile(),
    );
    yield [name, paths.map((path) => ({ path, text: readFileSync(join(at, path)) }))];
  }
}
