import { expect, test } from "playwright/test";
import { apiOf, shellPack, until } from "../fixtures/api";
import { type App, startApp } from "../fixtures/start-app";

let app: App;

test.afterEach(async () => {
  await app.stop();
  app.remove();
});

async function startOn(sandbox: string) {
  app = await startApp({ withoutAllowance: true, env: { SKILLGATE_WORKER_SANDBOX: sandbox } });
  const api = apiOf(app);
  const me = await until(
    () => api.json("GET", "/api/me"),
    ({ workersOnline }) => workersOnline > 0,
  );
  return { api, isolation: me.isolation as string };
}

test("without isolation no run starts until an admin allows the class", async () => {
  const { api, isolation } = await startOn("off");
  expect(isolation).toBe("none");
  const echo = await api.installPack("echo", shellPack("echo", "#!/bin/sh\ncat\n"));
  const refused = await api.send("POST", `/api/skills/${echo.id}/runs`, { args: { text: "x" } });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    code: "no_isolation",
    detail: expect.stringMatching(/bubblewrap.*safeWithoutSandbox/),
  });
  await api.json("PATCH", "/api/admin/settings", { safeWithoutSandbox: true });
  expect(await api.run(echo.id, { text: "x" })).toMatchObject({ state: "succeeded", isolation: "none" });
  const change = await api.installPack("change", shellPack("change", "#!/bin/sh\ncat\n", { class: "mutating" }));
  const still = await api.send("POST", `/api/skills/${change.id}/runs`, { args: { text: "x" }, confirm: true });
  expect(await still.json()).toMatchObject({
    code: "no_isolation",
    detail: expect.stringContaining("mutatingWithoutSandbox"),
  });
});

for (const sandbox of ["unshare", "user"]) {
  test(`limited to ${sandbox}, the worker reports its isolation, and a safe run has it`, async () => {
    const { api, isolation } = await startOn(sandbox);
    test.skip(isolation === "none", "this takes root");
    const whoami = await api.installPack("whoami", shellPack("whoami", '#!/bin/sh\nprintf \'"%s"\' "$(id -u)"\n'));
    const run = await api.run(whoami.id);
    expect(run).toMatchObject({ state: "succeeded", isolation });
    expect(Number(run.result)).toBeGreaterThan(0);
    const [worker] = (await api.json("GET", "/api/admin/workers")).items;
    expect(worker).toMatchObject({
      isolation,
      isolationFacts: expect.arrayContaining([expect.stringContaining("user id of its own")]),
    });
  });
}
