import { statfsSync } from "node:fs";
import { availableParallelism, hostname, release } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { BuiltinMetadata } from "./kit/builtin";
import { readOr } from "./kit/host-path";

const schema = () =>
  z.strictObject({
    sample_ms: z.int().min(50).max(5000).default(250).describe("How long to measure the processor, in milliseconds."),
  });

export const metadata: BuiltinMetadata = {
  name: "host_load",
  label: "Load of a host",
  description:
    "Report a host's load averages, processor use, memory, swap, pressure, uptime and the space on the file system of its programs.",
  class: "safe",
  category: "host",
  schema,
  resultPreview: "load averages, processor use in percent, memory and swap in bytes, uptime, free space",
};

export async function execute({ sample_ms }: z.infer<ReturnType<typeof schema>>): Promise<unknown> {
  const before = readCpu();
  await delay(sample_ms);
  const after = readCpu();
  const passed = after.total - before.total;
  const [one, five, fifteen] = readOr("/proc/loadavg").split(" ").map(Number);
  return {
    hostname: hostname(),
    kernel: release(),
    uptimeSeconds: Math.round(Number(readOr("/proc/uptime").split(" ")[0])),
    load: { one, five, fifteen },
    cpu: {
      count: availableParallelism(),
      busyPercent: passed === 0 ? 0 : tenth(100 * (1 - (after.idle - before.idle) / passed)),
    },
    memory: readMemory(),
    pressure: { cpu: readPressure("cpu"), memory: readPressure("memory"), io: readPressure("io") },
    space: readSpace("/usr"),
  };
}

function readCpu(): { total: number; idle: number } {
  const numbers = (readOr("/proc/stat").split("\n")[0] ?? "").split(/\s+/).slice(1, 9).map(Number);
  return { total: numbers.reduce((sum, next) => sum + next, 0), idle: (numbers[3] ?? 0) + (numbers[4] ?? 0) };
}

function readMemory() {
  const text = readOr("/proc/meminfo");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) * 1024;
  const [totalBytes, availableBytes] = [bytes("MemTotal"), bytes("MemAvailable")];
  const usedPercent = totalBytes === 0 ? 0 : tenth(100 * (1 - availableBytes / totalBytes));
  const swap = { totalBytes: bytes("SwapTotal"), freeBytes: bytes("SwapFree") };
  return { totalBytes, availableBytes, usedPercent, swap };
}

/** Percent of the last ten seconds in which processes waited; null where the kernel does not count it. */
function readPressure(what: string): number | null {
  const found = /^some avg10=([\d.]+)/.exec(readOr(`/proc/pressure/${what}`))?.[1];
  return found === undefined ? null : Number(found);
}

function readSpace(path: string) {
  const { blocks, bavail, bsize } = statfsSync(path);
  const [totalBytes, freeBytes] = [blocks * bsize, bavail * bsize];
  return { path, totalBytes, freeBytes, usedPercent: totalBytes === 0 ? 0 : tenth(100 * (1 - freeBytes / totalBytes)) };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
