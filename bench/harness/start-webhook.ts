import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARGS_VARIABLE, type Pack, placePack } from "./bench-packs";
import { findProgram, freePort, type Peer, startParts } from "./start-peer";

/** https://github.com/adnanh/webhook: a program for each hook, its output in the answer. */
export async function startWebhook(folder: string, packs: Pack[]): Promise<Peer | null> {
  const program = findProgram("webhook");
  if (!program) return null;
  const home = join(folder, "webhook");
  mkdirSync(home, { recursive: true });
  const hooks = packs.map((pack) => {
    const executable = placePack(join(home, "packs"), pack, "variable");
    return {
      id: pack.name,
      "execute-command": executable.file,
      "command-working-directory": executable.folder,
      "include-command-output-in-response": true,
      "pass-environment-to-command": [{ source: "entire-payload", envname: ARGS_VARIABLE }],
    };
  });
  const file = join(home, "hooks.json");
  writeFileSync(file, JSON.stringify(hooks));
  const port = await freePort();
  const args = ["-ip", "127.0.0.1", "-port", String(port), "-hooks", file];
  const stop = await startParts([{ program, args, home }], port);
  return { url: (pack) => `http://127.0.0.1:${port}/hooks/${pack}`, stop };
}
