import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Killable } from "./start-killable";

export function clockFileOf(folder: string): string {
  const file = join(folder, "clock");
  writeFileSync(file, "0");
  return file;
}

/** Sets the clock offset of the running server in ms; resolves when the server uses it. */
export async function setClock(product: Killable, offsetMs: number): Promise<void> {
  const file = join(product.folder, "clock");
  writeFileSync(file, String(offsetMs));
  process.kill(product.webPid(), "SIGUSR2");
  while (readFileSync(`${file}.seen`, "utf8") !== String(offsetMs))
    await new Promise((resolve) => setTimeout(resolve, 20));
}
