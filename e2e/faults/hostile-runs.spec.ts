import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "playwright/test";
import { apiOf, type PackFile, until } from "../fixtures/api";
import { type App, startApp } from "../fixtures/start-app";

const FINAL = ["succeeded", "failed", "cancelled"];
/** Each with its arguments and its allowed ends: its own answer or one of these errors. */
const HOSTILE: { file: string; args?: Record<string, unknown>; ends: string[] }[] = [
  { file: "fork-bomb.sh", ends: ["timed_out", "exit_nonzero", "signalled", "invalid_output"] },
  { file: "flood-both-streams.py", ends: ["output_limit"] },
  { file: "hang-after-exit.sh", ends: ["succeeded"] },
  { file: "escape-with-setsid.py", ends: ["succeeded"] },
  { file: "take-memory.py", ends: ["exit_nonzero", "signalled", "timed_out", "invalid_output"] },
  { file: "take-cpu.py", ends: ["timed_out", "signalled"] },
  { file: "take-disk.py", ends: ["succeeded", "signalled", "timed_out"] },
  { file: "dump-secrets.py", args: { directories: [] }, ends: ["succeeded"] },
  { file: "call-home.py", args: { addresses: ["127.0.0.1"], port: 0, unix: [] }, ends: ["succeeded"] },
  { file: "ignore-signals.py", ends: ["timed_out"] },
  { file: "bad-json.py", args: { form: 29 }, ends: ["invalid_output"] },
  { file: "close-stdin.sh", args: { text: "x".repeat(200_000) }, ends: ["succeeded"] },
];

const CANARY = "canary-e2e-5b1d7c9e";
const ENDLESS = ["fork-bomb.sh", "take-cpu.py", "ignore-signals.py"];
let app: App;

test.beforeEach(async () => {
  app = await startApp({ env: { HOSTILE_SECRET: CANARY } });
});

test.afterEach(async () => {
  await app.stop();
  app.remove();
});

test("the server answers while every slot has a hostile run, and each of these ends once", async () => {
  test.setTimeout(300_000);
  const api = apiOf(app);
  const me = await until(
    () => api.json("GET", "/api/me"),
    ({ workersOnline }) => workersOnline > 0,
  );
  const canary = await listen();
  const skills: { id: string }[] = [];
  for (const { file } of HOSTILE) skills.push(await api.installPack(nameOf(file), packOf(file)));

  let isOver = false;
  const answers: number[] = [];
  const watch = (async () => {
    while (!isOver) answers.push((await api.send("GET", "/api/health")).status);
  })();
  const started = await Promise.all(
    [0, 1].flatMap(() =>
      HOSTILE.map(async ({ file, args = {}, ends }, index) => {
        const given = file === "call-home.py" ? { ...args, port: canary.port } : args;
        const { id } = await api.run(skills[index]?.id ?? "", given, 0);
        return { file, id: id as string, ends };
      }),
    ),
  );
  const runs = await until(
    () => Promise.all(started.map(({ id }) => api.json("GET", `/api/runs/${id}`))),
    (rows) => rows.every(({ state }) => FINAL.includes(state)),
    240,
  );
  isOver = true;
  await watch;

  expect(answers.length).toBeGreaterThan(HOSTILE.length);
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  for (const [index, { file, ends, id }] of started.entries()) {
    const run = runs[index];
    expect(ends, `${file} ended as ${JSON.stringify(run.error ?? run.state)}`).toContain(run.error?.code ?? run.state);
    const { items } = await api.json("GET", `/api/audit?run=${id}&limit=100`);
    const finals = items.filter(({ action }: { action: string }) =>
      ["run.succeed", "run.fail", "run.end"].includes(action),
    );
    expect(finals, file).toHaveLength(1);
    const log = await (await api.send("GET", `/api/runs/${id}/events`)).text();
    expect(JSON.stringify(run) + log).not.toContain(CANARY);
  }
  if (me.isolation === "sandbox" || me.isolation === "namespaces") expect(canary.hits()).toBe(0);
  const dumped = runs[started.findIndex(({ file }) => file === "dump-secrets.py")];
  if (me.isolation !== "none") expect(dumped.result.uid).toBeGreaterThan(0);
});

function nameOf(file: string): string {
  return `hostile_${file.replace(/\W/g, "_")}`;
}

function packOf(file: string): PackFile[] {
  const manifest = {
    name: nameOf(file),
    description: `Does what ${file} does.`,
    class: "safe",
    entry: file,
    timeout_seconds: ENDLESS.includes(file) ? 2 : 30,
    schema: { type: "object" },
  };
  return [
    { path: "skill.json", text: JSON.stringify(manifest) },
    {
      path: file,
      text: readFileSync(new URL(`../../lib/worker/fixtures/hostile/${file}`, import.meta.url), "utf8"),
      executable: true,
    },
  ];
}

async function listen(): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    socket.on("error", () => {}).destroy();
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : 0, hits: () => hits };
}
