import { closeSync, readdirSync, readFileSync } from "node:fs";

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
