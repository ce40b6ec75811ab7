import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createSource } from "../sources/create-source";
import { getSource, syncSource } from "../sources/sources";
import { testCatalog } from "../testing/test-catalog";
import { listQueuedSyncs } from "./queue-sync";
import { runSync } from "./sync-runner";

process.env.SKILLGATE_OUTGOING_RANGES = "127.0.0.1";
const { admin, system, options } = await testCatalog();

test("a registry that answers each request late ends the sync, which does not occupy the runner for days", async () => {
  const digest = `sha256:${"0".repeat(64)}`;
  const skills = Array.from({ length: 400 }, (_, at) => ({ name: `s${at}`, type: "skill-md", url: `s${at}`, digest }));
  let asked = 0;
  const server = createServer(({ url = "" }, response) => {
    asked += 1;
    if (url.endsWith("/index.json")) response.end(JSON.stringify({ skills }));
    else setTimeout(() => response.end("# late\n"), 300);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const repoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const input = { label: "late", kind: "index" as const, enabled: true, intervalMinutes: 360, sync: false, repoUrl };
  const { id } = await createSource(admin, input);
  await syncSource(admin, id);
  const [job] = (await listQueuedSyncs(system)).filter(({ sourceId }) => sourceId === id);
  if (job === undefined) throw new Error("no job");
  await runSync(system, job, { ...options, maxMs: 1_000 });
  expect(asked).toBeLessThan(skills.length);
  expect(await getSource(admin, id)).toMatchObject({ state: "failed", errorCode: "timeout" });
  server.closeAllConnections();
  server.close();
});
