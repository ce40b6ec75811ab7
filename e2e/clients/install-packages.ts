import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { lastLines, runProgram } from "./run-program";

const cache = fileURLToPath(new URL("../../.build/clients", import.meta.url));
const RETRY_MS = [2_000, 8_000, 20_000];

/** The third-party programs of `npm run e2e:clients`. `node` of the npm package is an additional one. */
export const PACKAGES = {
  oldSkills: "skills@1.3.9",
  middleSkills: "skills@1.5.18",
  skills: "skills@1.7.4",
  clawhub: "clawhub@0.23.3",
  isomorphicGit: "isomorphic-git@1.44.11",
  anthropic: "@anthropic-ai/sdk@1.12.0",
  mcpClient: "@modelcontextprotocol/client@2.4.0",
  sigstore: "@sigstore/verify@3.1.1",
  conformance: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  inspector: "@modelcontextprotocol/inspector@2.12.0",
  node: `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@22.23.3`,
} as const;

/** A package that cannot be installed, with the reason; `isNpmThere` says whether the registry answers otherwise. */
export type Missing = { missing: string; isNpmThere: boolean };

/**
 * The folder of a package in exactly this version, from the cache in `.build/clients` or from the npm registry, in four
 * attempts. Install scripts do not run: `node@22.23.3` has one that fetches the package of its platform, which is installed here by name.
 */
export async function installPackage(spec: string): Promise<{ folder: string } | Missing> {
  const at = spec.lastIndexOf("@");
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)];
  const project = join(cache, spec);
  const folder = join(project, "node_modules", name);
  if (versionIn(folder) === version && existsSync(join(project, "complete"))) return { folder };
  let said = "";
  for (let attempt = 0; attempt <= RETRY_MS.length; attempt++) {
    if (attempt > 0) await delay(RETRY_MS[attempt - 1]);
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "package.json"), '{"private":true}\n');
    const { code, output } = await npm(project, "install", "--ignore-scripts", "--no-audit", "--no-fund", spec);
    if (code === 0 && versionIn(folder) === version) {
      writeFileSync(join(project, "complete"), "");
      return { folder };
    }
    said = output;
  }
  return { missing: `${spec} could not be installed: ${lastLines(said)}`, isNpmThere: await doesNpmAnswer() };
}

export async function doesNpmAnswer(): Promise<boolean> {
  mkdirSync(cache, { recursive: true });
  return (await npm(cache, "view", PACKAGES.skills, "version", "--prefer-online")).code === 0;
}

function npm(cwd: string, ...args: string[]) {
  // Variables that `npm run` sets would make this install into the product's own folder.
  const isOwn = ([name, value]: [string, string | undefined]) => value !== undefined && !/^npm_|^NODE_ENV$/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(isOwn)) as Record<string, string>;
  return runProgram("npm", args, { cwd, env });
}

function versionIn(folder: string): string | null {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return null;
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : null;
}
