import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeZip } from "@/lib/skill-format/write-zip";
import type { ApiClient } from "./api-client";
import type { Executable } from "./spawn-directly";

export type Pack = { name: string; script: string };

/** The same small program in three languages: it gives back the JSON object it was given. */
export function benchPacks(): Pack[] {
  const python = findPython();
  const node = "let text = '';\nprocess.stdin.on('data', (chunk) => { text += chunk; });\n";
  return [
    { name: "shell", script: "#!/bin/sh\nexec cat\n" },
    ...(python
      ? [{ name: "python3", script: `#!${python}\nimport json, sys\njson.dump(json.load(sys.stdin), sys.stdout)\n` }]
      : []),
    {
      name: "node",
      script: `#!${findNode()}\n${node}process.stdin.on('end', () => process.stdout.write(JSON.stringify(JSON.parse(text))));\n`,
    },
  ];
}

/** One that a sandbox shows, if there is one: a version manager keeps its own in somebody's home. */
function findNode(): string {
  const isShown = realpathSync(process.execPath).startsWith("/usr/");
  return !isShown && existsSync("/usr/bin/node") ? "/usr/bin/node" : process.execPath;
}

/** By absolute path: a version manager's stand-in on PATH costs a hundred milliseconds that have nothing to do with us. */
function findPython(): string | null {
  if (existsSync("/usr/bin/python3")) return "/usr/bin/python3";
  try {
    return execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  } catch {
    // Without Python the other packs are still worth measuring.
    return null;
  }
}

/** Imports, approves and switches on a pack through the API; answers the skill's id. */
export async function publishPack(api: ApiClient, { name, script }: Pack): Promise<string> {
  const manifest = {
    name: `bench_${name}`,
    description: "Gives back what it was given.",
    class: "safe",
    entry: "run",
    schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  };
  const encode = (text: string) => new TextEncoder().encode(text);
  const bytes = await writeZip(name, [
    { path: "skill.json", mode: "644", bytes: encode(JSON.stringify(manifest)) },
    { path: "run", mode: "755", bytes: encode(script) },
  ]);
  type Imported = { skills: { id: string; pendingVersion: { digest: string } }[] };
  const imported = await api.upload<Imported>("/api/skills/import", { name: `${name}.zip`, bytes });
  const [skill] = imported.skills;
  if (!skill) throw new Error(`${name} was not imported`);
  const version = `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}`;
  await api.json("POST", `${version}/decisions`, { decision: "approve", comment: "bench" });
  await api.json("PATCH", `/api/skills/${skill.id}`, { enabled: true });
  return skill.id;
}

/** The same executable on disk, for spawning it directly. */
export function placePack(parent: string, { name, script }: Pack): Executable {
  const folder = join(parent, name);
  const home = join(parent, `${name}-home`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(home, { recursive: true });
  const file = join(folder, "run");
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return { file, folder, home };
}
