import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pack, placePack } from "./bench-packs";
import { findProgram, freePort, type Peer, startParts } from "./start-peer";

/** Node-RED with its exec node between an HTTP request and its answer; from PATH, or installed in `NODE_RED_DIR`. */
export async function startNodeRed(folder: string, packs: Pack[]): Promise<Peer | null> {
  const installed = join(process.env.NODE_RED_DIR ?? "", "node_modules", "node-red", "red.js");
  const program = process.env.NODE_RED_DIR ? existsSync(installed) && process.execPath : findProgram("node-red");
  if (!program) return null;
  const home = join(folder, "node-red");
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  const settings = join(home, "settings.js");
  const quiet = { console: { level: "fatal", metrics: false, audit: false } };
  const values = { uiHost: "127.0.0.1", uiPort: port, httpAdminRoot: false, credentialSecret: false, logging: quiet };
  writeFileSync(settings, `module.exports = ${JSON.stringify({ ...values, telemetry: { enabled: false } })};\n`);
  const flows = join(home, "flows.json");
  writeFileSync(flows, JSON.stringify(packs.flatMap((pack) => flowOf(home, pack))));
  const options = ["--userDir", home, "--settings", settings, flows];
  const args = process.env.NODE_RED_DIR ? [installed, ...options] : options;
  const stop = await startParts([{ program, args, home }], port);
  return { url: (pack) => `http://127.0.0.1:${port}/${pack}`, stop };
}

/** Its exec node hands what it is given to a shell, so the arguments stand in quotes; those of the bench hold none. */
function flowOf(home: string, pack: Pack) {
  const { file } = placePack(join(home, "packs"), pack, "argument");
  const id = (part: string) => `${pack.name}-${part}`;
  const quote = 'msg.payload = "\'" + JSON.stringify(msg.payload) + "\'"; return msg;';
  return [
    { id: id("tab"), type: "tab", label: pack.name },
    { id: id("in"), z: id("tab"), type: "http in", url: `/${pack.name}`, method: "post", wires: [[id("quote")]] },
    { id: id("quote"), z: id("tab"), type: "function", func: quote, outputs: 1, wires: [[id("exec")]] },
    {
      ...{ id: id("exec"), z: id("tab"), type: "exec", command: file, addpay: "payload", append: "" },
      ...{ useSpawn: "false", timer: "", oldrc: false, wires: [[id("out")], [], []] },
    },
    { id: id("out"), z: id("tab"), type: "http response", statusCode: "200", headers: {}, wires: [] },
  ];
}
