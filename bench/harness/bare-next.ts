import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { endProcess, inheritedEnvironment, root } from "./product-processes";

/** Inside the project, so that it uses the same copies of Next and React. */
const folder = join(root, ".build", "bare-next");

const FILES: Record<string, string> = {
  "package.json": '{ "name": "bare-next", "private": true, "type": "module" }',
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(root)} } };`,
  "app/layout.jsx":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  "app/page.jsx": `export const dynamic = "force-dynamic";
export default function Page() { return <p>Hello</p>; }`,
  "app/bytes/[name]/route.js": `import { readFileSync } from "node:fs";
import { join } from "node:path";
const kept = new Map();
export async function GET(_request, { params }) {
  const { name } = await params;
  if (!kept.has(name)) kept.set(name, readFileSync(join(process.cwd(), "bodies", name), "utf8"));
  return new Response(kept.get(name), { headers: { "content-type": "application/json" } });
}`,
};

export type BareNext = { url: string; pid: number; stop(): Promise<void> };

/**
 * Builds an application of Next with one page, and one route that answers what it was given as files of `bodies`; `more` are
 * further files by path. Returns the seconds that took: the baseline of what a build costs.
 */
export function buildBareNext(more: Readonly<Record<string, string>> = {}): { seconds: number; folder: string } {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries({ ...FILES, ...more })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [next, "build"], {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The bare application was not built: ${stderr.slice(-500)}`);
  return { seconds: (performance.now() - startedAt) / 1000, folder };
}

/** Starts it; its route answers each of `bodies` by name as JSON. */
export async function startBareNext(bodies: Record<string, string>): Promise<BareNext> {
  rmSync(join(folder, "bodies"), { recursive: true, force: true });
  mkdirSync(join(folder, "bodies"));
  for (const [name, body] of Object.entries(bodies)) writeFileSync(join(folder, "bodies", name), body);
  const port = await freePort();
  const child = spawn(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => /Ready/.test(chunk.toString()) && resolve());
    child.once("exit", (code) => reject(new Error(`The bare application ended with ${code}.`)));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => endProcess(child) };
}

const next = join(root, "node_modules", "next", "dist", "bin", "next");

function environment(): NodeJS.ProcessEnv {
  return { ...inheritedEnvironment(), NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as NodeJS.ProcessEnv;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
