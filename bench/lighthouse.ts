import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchOptions } from "./harness/bench-options";
import { openCaller } from "./harness/call-api";
import { inheritedEnvironment, requireBuild, root } from "./harness/product-processes";
import { startSeeded } from "./harness/start-seeded";

const PACKAGE = "lighthouse@12.2.3";
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

type Scores = { page: string; on: "desktop" | "mobile"; performance: number; accessibility: number };

/**
 * Lighthouse scores of the main pages of the seeded instance, signed in, on a desktop and on a throttled phone. Installs
 * Lighthouse into `.build/lighthouse` at first. The control is a page with an image without a text: its accessibility must
 * be below 100.
 */
export async function benchLighthouse({ quick, json }: BenchOptions): Promise<void> {
  requireBuild();
  const lighthouse = install();
  const { url: address, folder, cookie, stop } = await startSeeded();
  try {
    const runId = await findRunId(address, cookie);
    const pages = [
      ["My skills", "/skills"],
      ["Catalog", "/catalog"],
      ["A run", `/runs/${runId}`],
      ["Timeline", "/audit"],
    ] as const;
    const result: Scores[] = [];
    for (const [page, path] of quick ? pages.slice(0, 1) : pages)
      for (const on of ["desktop", "mobile"] as const)
        result.push({ page, on, ...(await runLighthouse(lighthouse, `${address}${path}`, on, cookie, folder)) });
    const control = await measureControl(lighthouse, folder);
    console.table(result);
    const worst = (key: "performance" | "accessibility") => Math.min(...result.map((scores) => scores[key]));
    console.log(
      `lighthouse: ${result.length} looks at ${pages.length} pages, performance at least ${worst("performance")}, accessibility at least ${worst("accessibility")}; control ${control.accessibility} (below 100 expected)`,
    );
    if (json) console.log(JSON.stringify({ bench: "lighthouse", result, control }));
    if (worst("accessibility") < 100 || control.accessibility >= 100) process.exitCode = 1;
  } finally {
    await stop();
  }
}

async function findRunId(address: string, cookie: string): Promise<string> {
  const caller = openCaller(address, null);
  try {
    const answer = await caller.call("GET", "/api/runs?limit=1&state=succeeded", { headers: { cookie } });
    const id = (JSON.parse(answer.text) as { items: { id: string }[] }).items[0]?.id;
    if (id === undefined) throw new Error(`there is no run to open: ${answer.text.slice(0, 200)}`);
    return id;
  } finally {
    caller.close();
  }
}

const run = promisify(execFile);

async function runLighthouse(program: string, url: string, on: Scores["on"], cookie: string, folder: string) {
  const report = join(folder, "report.json");
  const flags =
    "--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync";
  const args = [
    ...[program, url, "--quiet", "--output=json", `--output-path=${report}`],
    "--only-categories=performance,accessibility",
    `--chrome-flags=${flags}`,
    `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
    ...(on === "desktop" ? ["--preset=desktop"] : []),
  ];
  const CHROME_PATH = process.env.CHROME_PATH ?? CHROMIUM.find((file) => existsSync(file));
  await run(process.execPath, args, { env: { ...process.env, ...(CHROME_PATH ? { CHROME_PATH } : {}) } });
  const { categories } = JSON.parse(readFileSync(report, "utf8")) as { categories: Record<string, { score: number }> };
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  return { performance: score("performance"), accessibility: score("accessibility") };
}

async function measureControl(program: string, folder: string) {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end('<title>x</title><p>x<img src="x.png">'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    const port = typeof address === "object" && address ? address.port : 0;
    return await runLighthouse(program, `http://127.0.0.1:${port}/`, "desktop", "", folder);
  } finally {
    server.close();
  }
}

function install(): string {
  const project = join(root, ".build", "lighthouse");
  const program = join(project, "node_modules", "lighthouse", "cli", "index.js");
  if (existsSync(program)) return program;
  mkdirSync(project, { recursive: true });
  const args = ["install", "--prefix", project, "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE];
  const { status } = spawnSync("npm", args, {
    cwd: project,
    env: inheritedEnvironment() as NodeJS.ProcessEnv,
    stdio: "inherit",
  });
  if (status !== 0 || !existsSync(program)) throw new Error(`${PACKAGE} could not be installed.`);
  return program;
}
