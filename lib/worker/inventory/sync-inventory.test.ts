import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { connectServer } from "../connect-server";
import { prepareWorkDir } from "../files/work-dir";
import { applyResponse } from "../run-worker";
import { makeWorkDir } from "../testing/make-work-dir";
import { openAccess } from "../testing/open-access";
import { readFoldersHere } from "../testing/read-folders-here";
import { type FakeServer, startFakeServer } from "../testing/start-fake-server";
import { waitUntil } from "../testing/wait-until";
import { createWorker } from "../worker";
import { syncInventory } from "./sync-inventory";

function addPack(root: string, name: string, script = "#!/bin/sh\n"): void {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "run.sh"), script);
  chmodSync(join(folder, "run.sh"), 0o755);
  const manifest = { name, description: "d", entry: "run.sh", class: "safe" };
  writeFileSync(join(folder, "skill.json"), JSON.stringify(manifest));
}

async function start(server: FakeServer, skillDirs: string[]) {
  const lines: string[] = [];
  const say = (_level: string, text: string) => void lines.push(text);
  const worker = createWorker({
    ...{ name: "test", slotCount: 1, capabilities: [], access: openAccess(), log: pino({ level: "silent" }) },
    workDir: await prepareWorkDir(makeWorkDir()),
    isolation: { kind: "none", reason: "not asked for" },
    server: connectServer({ url: server.url, token: "sgw_test" }),
  });
  const end = new AbortController();
  const ended = syncInventory(worker, { skillDirs, builtinsDir: null, openReader: readFoldersHere, say }, end.signal);
  ended.catch(() => {});
  onTestFinished(async () => {
    end.abort();
    await ended.catch(() => {});
  });
  return { worker, lines, ended };
}

const namesOf = (server: FakeServer) => server.inventories.at(-1)?.items.map(({ path }) => path.split("/").at(-1));

it("says what it has, sends the files that the server lacks, and says it again", async () => {
  const [server, root] = [await startFakeServer(), makeWorkDir()];
  addPack(root, "disk");
  await start(server, [root]);
  await waitUntil("a second inventory", () => server.inventories.length === 2);
  expect(server.inventories[1]).toEqual(server.inventories[0]);
  expect([...server.uploads].map(([sha256, bytes]) => sha256Hex(bytes) === sha256)).toEqual([true, true]);
});

it("says it anew when a pack comes in while it watches, and does not send what the server has", async () => {
  const [server, root] = [await startFakeServer(), makeWorkDir()];
  addPack(root, "disk");
  const { lines } = await start(server, [root]);
  await waitUntil("the first pack", () => server.inventories.length === 2);
  addPack(root, "net");
  await waitUntil("both packs", () => namesOf(server)?.length === 2 && server.uploads.size === 3);
  expect(namesOf(server)).toEqual(["disk", "net"]);
  expect(lines).toContain(`skill loader: registered subprocess skill "net" from ${root}/net/skill.json`);
});

it("reads its directories again when an admin asks, also when nothing has changed", async () => {
  const [server, root] = [await startFakeServer(), makeWorkDir()];
  const { worker, lines } = await start(server, [root]);
  await waitUntil("the empty inventory", () => server.inventories.length === 1);
  applyResponse(worker, { leases: [], cancel: [], rescan: true });
  await waitUntil("it again", () => server.inventories.length === 2);
  expect(lines.filter((line) => line.endsWith("0 skills from 1 directory in total"))).toHaveLength(2);
});

it("tries again while the server is away", async () => {
  const [server, root] = [await startFakeServer(), makeWorkDir()];
  addPack(root, "disk");
  let refusals = 0;
  server.failure = () => {
    refusals += 1;
    return 503;
  };
  await start(server, [root]);
  await waitUntil("two attempts", () => refusals >= 2);
  server.failure = null;
  await waitUntil("the files", () => server.uploads.size === 2);
});

it("ends when its token is not accepted any more", async () => {
  const server = await startFakeServer();
  server.failure = () => 401;
  const { ended } = await start(server, []);
  await expect(ended).rejects.toMatchObject({ isUnauthorized: true });
});
