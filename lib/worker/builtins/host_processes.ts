import { readdirSync } from "node:fs";
import { z } from "zod";
import type { BuiltinMetadata } from "./kit/builtin";
import { readOr, shownId } from "./kit/host-path";

const schema = () =>
  z.strictObject({
    sort: z
      .enum(["memory", "cpu", "age"])
      .default("memory")
      .describe("Sort order: most memory, most processor time, or newest first."),
    name: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Only processes whose name contains this text (case-insensitive)."),
    limit: z.int().min(1).max(100).default(20).describe("Maximum number of processes."),
  });

/** Command lines are left out: people write passwords into them. */
export const metadata: BuiltinMetadata = {
  name: "host_processes",
  label: "Processes of a host",
  description:
    "List a host's processes that use most memory or processor time, or are the newest. Without command lines, which may hold secrets.",
  class: "safe",
  category: "host",
  schema,
  resultPreview: "number of processes; of each name, state, user id, threads, processor seconds and memory",
  grants: { namespaces: ["pid"] },
};

const TICKS_PER_SECOND = 100;

type Process = {
  pid: number;
  parentPid: number;
  name: string;
  state: string;
  /** Null inside a sandbox for all processes but the run's own. */
  uid: number | null;
  threads: number;
  memoryBytes: number;
  cpuSeconds: number;
  ageSeconds: number;
};

export async function execute({ sort, name, limit }: z.infer<ReturnType<typeof schema>>): Promise<unknown> {
  const uptime = Number(readOr("/proc/uptime").split(" ")[0]);
  const all = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  const wanted = name?.toLowerCase();
  const processes = all
    .flatMap((pid) => readProcess(pid, uptime))
    .filter((process) => wanted === undefined || process.name.toLowerCase().includes(wanted));
  processes.sort(ORDERS[sort]);
  return { total: all.length, matching: processes.length, processes: processes.slice(0, limit) };
}

const ORDERS: Record<"memory" | "cpu" | "age", (a: Process, b: Process) => number> = {
  memory: (a, b) => b.memoryBytes - a.memoryBytes || a.pid - b.pid,
  cpu: (a, b) => b.cpuSeconds - a.cpuSeconds || a.pid - b.pid,
  age: (a, b) => a.ageSeconds - b.ageSeconds || b.pid - a.pid,
};

/** Empty for a process that has ended. proc(5) counts the fields of stat from 1; the second, the name, may contain anything. */
function readProcess(pid: string, uptime: number): Process[] {
  const stat = readOr(`/proc/${pid}/stat`);
  const status = readOr(`/proc/${pid}/status`);
  const nameEnd = stat.lastIndexOf(")");
  if (nameEnd < 0 || status === "") return [];
  const fields = stat.slice(nameEnd + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  const ofStatus = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return [
    {
      pid: Number(pid),
      parentPid: field(4),
      name: stat.slice(stat.indexOf("(") + 1, nameEnd),
      state: fields[0] ?? "",
      uid: shownId(ofStatus("Uid")),
      threads: ofStatus("Threads"),
      memoryBytes: ofStatus("VmRSS") * 1024,
      cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
      ageSeconds: Math.max(0, Math.round(uptime - field(22) / TICKS_PER_SECOND)),
    },
  ];
}
