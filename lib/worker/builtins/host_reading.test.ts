import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as hostFiles from "./host_files";
import * as hostLoad from "./host_load";
import * as hostNetns from "./host_netns_inspect";
import * as hostProcesses from "./host_processes";
import * as readJournal from "./read_journal";
import * as tailFile from "./tail_file";
import { callBuiltin, makeDir } from "./testing/call-builtin";

function addProgram(dir: string, name: string, script: string): void {
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}`);
  chmodSync(join(dir, name), 0o755);
}

it("tail_file gives the last lines, those with a text, and says when there were more", async () => {
  const dir = makeDir();
  const path = join(dir, "app.log");
  writeFileSync(
    path,
    `${Array.from({ length: 50 }, (_, index) => `line ${index}${index % 10 ? "" : " ERROR"}`).join("\n")}\n`,
  );
  expect(await callBuiltin(tailFile, { path, lines: 2 })).toMatchObject({
    lines: ["line 48", "line 49"],
    truncated: true,
  });
  expect(await callBuiltin(tailFile, { path, contains: "error" })).toMatchObject({
    lines: [0, 10, 20, 30, 40].map((index) => `line ${index} ERROR`),
    truncated: false,
  });
});

it("tail_file reads the end of a huge file only, and cuts huge lines", async () => {
  const path = join(makeDir(), "big.log");
  writeFileSync(path, `${"x".repeat(3_000_000)}\n${"y".repeat(10_000)}\nlast\n`);
  const { lines, truncated } = await callBuiltin(tailFile, { path });
  expect(truncated).toBe(true);
  expect((lines as string[]).map((line) => line.length)).toEqual([4000, 4]);
});

it("tail_file and host_files stay in their directories without a sandbox, also behind a link", async () => {
  const [open, closed] = [makeDir(), makeDir()];
  writeFileSync(join(closed, "secret"), "s");
  symlinkSync(join(closed, "secret"), join(open, "link"));
  const io = { roots: [open] };
  await expect(callBuiltin(tailFile, { path: join(open, "link") }, io)).rejects.toThrow("is outside");
  await expect(callBuiltin(hostFiles, { path: `${open}/../` }, io)).rejects.toThrow("is outside");
  await expect(callBuiltin(tailFile, { path: "relative" }, io)).rejects.toThrow("not an absolute path");
  await expect(callBuiltin(tailFile, { path: join(open, "none") }, io)).rejects.toThrow("does not exist");
});

it("host_files lists what is there with sizes, in the order asked for, and never contents", async () => {
  const dir = makeDir();
  mkdirSync(join(dir, "inner"));
  writeFileSync(join(dir, "small"), "content-of-small");
  writeFileSync(join(dir, "inner", "large"), "l".repeat(5000));
  utimesSync(join(dir, "small"), 1_000_000, 1_000_000);
  const bySize = await callBuiltin(hostFiles, { path: dir, sort: "size", depth: 2, limit: 2 });
  expect(bySize).toMatchObject({ total: 3, truncated: true });
  expect((bySize.entries as { path: string }[])[0]?.path).toBe(join(dir, "inner", "large"));
  expect(JSON.stringify(await callBuiltin(hostFiles, { path: dir }))).not.toContain("content-of-small");
});

it("read_journal asks journalctl for a unit and gives its entries", async () => {
  const dir = makeDir();
  const entry = { __REALTIME_TIMESTAMP: "1700000000000000", PRIORITY: "3", _PID: "7", _SYSTEMD_UNIT: "web.service" };
  const lines = [
    { ...entry, MESSAGE: "disk is full" },
    { ...entry, MESSAGE: [104, 105] },
  ];
  writeFileSync(join(dir, "out.json"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  addProgram(dir, "journalctl", `echo "$@" >&2; cat ${join(dir, "out.json")}\n`);
  const io = { programDirs: [dir, "/bin", "/usr/bin"] };
  const result = await callBuiltin(readJournal, { unit: "web.service", priority: "err" }, io);
  expect(result.entries).toEqual([
    { at: "2023-11-14T22:13:20.000Z", unit: "web.service", priority: "err", pid: 7, message: "disk is full" },
    { at: "2023-11-14T22:13:20.000Z", unit: "web.service", priority: "err", pid: 7, message: "hi" },
  ]);
  expect(result.notes).toContain("--unit=web.service");
  expect(await callBuiltin(readJournal, { contains: "FULL" }, io)).toMatchObject({
    entries: [{ message: "disk is full" }],
  });
  await expect(callBuiltin(readJournal, { unit: "--file=/x" }, io)).rejects.toThrow();
  await expect(callBuiltin(readJournal, {}, { programDirs: [] })).rejects.toThrow("journalctl is not installed");
});

it("host_load gives figures that fit together", async () => {
  const { cpu, memory, load } = (await callBuiltin(hostLoad, { sample_ms: 50 })) as {
    cpu: { count: number; busyPercent: number };
    memory: { totalBytes: number; availableBytes: number };
    load: { one: number };
  };
  expect(cpu.count).toBeGreaterThan(0);
  expect(cpu.busyPercent).toBeGreaterThanOrEqual(0);
  expect(memory.totalBytes).toBeGreaterThan(memory.availableBytes);
  expect(load.one).toBeGreaterThanOrEqual(0);
});

it("host_processes finds this process, and shows no command line", async () => {
  const result = await callBuiltin(hostProcesses, { sort: "memory", limit: 100 });
  const own = (result.processes as { pid: number; memoryBytes: number; name: string }[]).find(
    ({ pid }) => pid === process.pid,
  );
  expect(own?.memoryBytes).toBeGreaterThan(1024 ** 2);
  expect(JSON.stringify(result)).not.toContain("vitest/dist");
  expect(await callBuiltin(hostProcesses, { name: "no such name" })).toMatchObject({ matching: 0, processes: [] });
});

it("host_netns_inspect shows loopback and a listening port", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { current } = (await callBuiltin(hostNetns, {})) as {
    current: { interfaces: { name: string; addresses: string[] }[]; listening: unknown[] };
  };
  await new Promise((resolve) => server.close(resolve));
  expect(current.interfaces.find(({ name }) => name === "lo")?.addresses).toContain("127.0.0.1/8");
  expect(current.listening).toContainEqual(expect.objectContaining({ protocol: "tcp", address: "127.0.0.1", port }));
});
