import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { processStore } from "./process-store";

/** Id of this process: host, process id and four random bytes, so that a process of the same number is another one. */
export function processId(): string {
  return processStore("process-id", () => `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`);
}
