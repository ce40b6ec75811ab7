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

type Scores = { page: string; on: "desktop" | "mobile"; performance: number; accessibility: number; lcpMs: number };

/** Performance scores to reach. */
const AIMS = { desktop: 98, mobile: 90 };

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
    const pages = await findPages(address, cookie);
    const result: Scores[] = [];
    for (const [page, path] of quick ? pages.slice(0, 1) : pages)
      for (const on of ["desktop", "mobile"] as const)
        result.push({ page, on, ...(await runLighthouse(lighthouse, `${address}${path}`, on, cookie, folder)) });
    const control = await measureControl(lighthouse, folder);
    console.table(result);
    const worst = (key: "performance" | "accessibility") => Math.min(...result.map((scores) => scores[key]));
    console.log(
      `lighthouse: ${result.length} looks at ${pages.length} pages, performance at least ${worst("performance")}, accessibility at least ${worst("accessibility")}; ${result.filter(({ on, performance }) => performance < AIMS[on]).length} below the aim (desktop ${AIMS.desktop}, phone ${AIMS.mobile}); control ${control.accessibility} (below 100 expected)`,
    );
    if (json) console.log(JSON.stringify({ bench: "lighthouse", result, control }));
    if (worst("accessibility") < 100 || control.accessibility >= 100) process.exitCode = 1;
  } finally {
    await stop();
  }
}

async function findPages(address: string, cookie: string): Promise<[page: string, path: string][]> {
  const caller = openCaller(address, null);
  const first = async <Item>(path: string): Promise<Item> => {
    const answer = await caller.call("GET", path, { headers: { cookie } });
    const item = (JSON.parse(answer.text) as { items: Item[] }).items[0];
    if (item === undefined) throw new Error(`GET ${path} lists nothing to open: ${answer.text.slice(0, 200)}`);
    return item;
  };
  try {
    const run = await first<{ id: string }>("/api/runs?limit=1&state=succeeded");
    const review = await first<{ skill: { id: string }; digest: string }>("/api/reviews?limit=1");
    const skill = await first<{ name: string }>("/api/skills?limit=1&state=approved");
    return [
      ["My skills", "/skills"],
      ["Catalog", "/catalog"],
      ["A run", `/runs/${run.id}`],
      ["A review", `/reviews/${review.skill.id}/${review.digest}`],
      ["Timeline", "/audit"],
      ["Skill overview", `/skills/${encodeURIComponent(skill.name)}`],
    ];
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
  const { categories, audits } = JSON.parse(readFileSync(report, "utf8")) as {
    categories: Record<string, { score: number }>;
    audits: Record<string, { numericValue?: number }>;
  };
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const lcpMs = Math.round(audits["largest-contentful-paint"]?.numericValue ?? 0);
  return { performance: score("performance"), accessibility: score("accessibility"), lcpMs };
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
