import { expect, test } from "playwright/test";
import { apiOf, shellPack, until } from "../fixtures/api";
import { type App, isAlive, startApp } from "../fixtures/start-app";

const SLEEPER = "#!/bin/sh\necho started >&2\nsleep 300\necho '{}'\n";
let app: App;

test.beforeEach(async () => {
  app = await startApp();
});

test.afterEach(async () => {
  await app.stop();
  app.remove();
});

async function startSleeper() {
  const api = apiOf(app);
  const skill = await api.installPack("sleeper", shellPack("sleeper", SLEEPER, { timeout_seconds: 300 }));
  const run = await api.run(skill.id, {}, 0);
  await until(
    () => api.send("GET", `/api/runs/${run.id}`).then((response) => response.json()),
    (answer) => answer.state === "running",
  );
  return { api, skill, runId: run.id as string };
}

test("a worker that is killed in the middle of a run: the run ends as failed with the reason, and the worker comes back", async () => {
  const { api, skill, runId } = await startSleeper();
  // Output proves that the run has started; until then a lost worker returns it to the queue.
  const log = await api.send("GET", `/api/runs/${runId}/events`);
  let written = "";
  for await (const chunk of log.body ?? []) {
    written += new TextDecoder().decode(chunk);
    if (written.includes('"stderr"')) break;
  }
  const killed = app.children().worker;
  process.kill(killed, "SIGKILL");
  const run = await until(
    () => api.json("GET", `/api/runs/${runId}`),
    (answer) => answer.state !== "running",
  );
  expect(run).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  expect(app.children().worker).not.toBe(killed);
  const echo = await api.installPack("echo", shellPack("echo", "#!/bin/sh\ncat\n"));
  expect(await api.run(echo.id, { text: "back" })).toMatchObject({ state: "succeeded", result: { text: "back" } });
  expect(skill.id).not.toBe(echo.id);
});

test("a web process that is killed comes back on the same address, with every acknowledged write", async () => {
  const { api, runId } = await startSleeper();
  process.kill(app.children().web, "SIGKILL");
  const run = await until(
    () =>
      api.send("GET", `/api/runs/${runId}`).then(
        (response) => response.json(),
        () => null,
      ),
    (answer) => answer !== null,
  );
  expect(run.id).toBe(runId);
  await api.send("POST", `/api/runs/${runId}/cancel`);
});

test("SIGTERM ends running skills, records it, and leaves no process behind", async () => {
  const { runId } = await startSleeper();
  const { web, worker } = app.children();
  expect(await app.stop()).toBe(0);
  expect([isAlive(web), isAlive(worker)]).toEqual([false, false]);
  const again = await startApp({ dataDir: app.dataDir });
  const run = await apiOf(again).json("GET", `/api/runs/${runId}`);
  expect(run).toMatchObject({ state: "failed", error: { code: "worker_stopped" } });
  await again.stop();
});

test("when the launcher is killed its children end", async () => {
  // The worker is started once the web process is ready.
  const { web, worker } = await until(
    () => app.children(),
    (children) => children.web > 0 && children.worker > 0,
  );
  app.launcher.kill("SIGKILL");
  await until(
    () => [isAlive(web), isAlive(worker)],
    (alive) => !alive.includes(true),
    5,
  );
});

test("a second instance on the same data directory is refused and the first continues", async () => {
  await expect(startApp({ dataDir: app.dataDir })).rejects.toThrow(
    /it ended with 1 [\s\S]*Another Skillgate already runs on/,
  );
  expect((await apiOf(app).send("GET", "/api/health")).status).toBe(200);
});

test("wrong environment variables are named, all at once", async () => {
  const env = {
    PORT: "99999",
    PUBLIC_URL: "ftp://x",
    SKILLGATE_ADMIN_PASSWORD: "short",
    SKILLGATE_SOLO_MODE: "perhaps",
  };
  const refused = await startApp({ env }).then(
    () => "",
    (error: Error) => error.message,
  );
  for (const name of Object.keys(env)) expect(refused).toContain(name);
});

test("an import is stored completely or not at all when the server is killed during it", async () => {
  const api = apiOf(app);
  const files = (round: number) => [
    ...shellPack(`big_${round}`, "#!/bin/sh\ncat\n"),
    ...Array.from({ length: 40 }, (_, index) => ({
      path: `data/${index}.txt`,
      text: `${round} ${index} ${"x".repeat(20_000)}\n`,
    })),
  ];
  for (let round = 0; round < 4; round++) {
    const importing = api.importPack(`big_${round}`, files(round)).then(
      (skill) => skill.id,
      () => null,
    );
    const { web } = app.children();
    await new Promise((resolve) => setTimeout(resolve, 15 + round * 35));
    process.kill(web, "SIGKILL");
    const acknowledged = await importing;
    await until(
      () =>
        api.send("GET", "/api/health").then(
          (response) => response.status,
          () => 0,
        ),
      (status) => status === 200,
    );
    const found = await api.send("GET", `/api/skills/big_${round}`);
    if (acknowledged !== null) expect(found.status).toBe(200);
    if (found.status !== 200) continue;
    const skill = await found.json();
    const version = await api.json("GET", `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}`);
    expect(version.files).toHaveLength(42);
  }
});
