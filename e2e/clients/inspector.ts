import { join } from "node:path";
import { assert } from "./assert";
import type { ClientFolders } from "./client-folders";
import { lastLines, runProgram } from "./run-program";
import { playbook, type World } from "./world";

const SKILLS = 100;

type Options = { world: World; folders: ClientFolders; folder: string; node: string };

/** Offers a hundred skills, and lets the official inspector list them all and compare every file with its digest. */
export async function verifyWithInspector({ world, folders, folder, node }: Options): Promise<void> {
  for (let index = 0; index < SKILLS; index++) {
    const name = `reef-notes-${index}`;
    // A script that no reviewer granted would withhold the skill.
    const files = playbook(name, "one").filter(({ path }) => !path.startsWith("scripts/"));
    await world.offer(name, [...files, { path: "assets/pixel.bin", text: new Uint8Array([index, 0, 255]) }], "public");
  }
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
