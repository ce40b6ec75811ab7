import { closeSync, readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

/**
 * V8 flags that trade more garbage collection for a smaller process. Node starts a run by fork(2), whose cost grows by 1 ms
 * of processor time with each 30 MiB that the process has written to. Set from inside, so that they apply however the
 * worker is started, and because a V8 that lacks one of them prints a warning and continues.
 */
const HEAP_FLAGS = [
  // The nursery keeps its initial 1 MiB (in two halves) instead of growing to 16.
  "--semi-space-growth-factor=1",
  // The rest is collected when it has grown by a fifth, or by 8 MiB, instead of at a multiple of the used memory.
  "--heap-growing-percent=20",
  // For so small a nursery, waking other threads costs more than it saves.
  "--no-parallel-scavenge",
];

for (const flag of HEAP_FLAGS) setFlagsFromString(flag);

const CLOSE_ON_EXEC = 0o2000000;

// Runs before anything is opened or started: what is inheritable now came from the program that started this process.
closeInherited();

/**
 * Closes descriptors above 2 that programs started from here would inherit. The launcher's shell may leave some open; Node
 * itself opens everything with close-on-exec, and marks inherited ones only up to 15 (`uv_disable_stdio_inheritance`). Only
 * Linux lists the descriptors: elsewhere it does nothing.
 */
function closeInherited(): void {
  for (const name of listDescriptors()) {
    const descriptor = Number(name);
    if (descriptor <= 2 || !isInheritable(name)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // Closed already.
    }
  }
}

function listDescriptors(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
}

function isInheritable(name: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
