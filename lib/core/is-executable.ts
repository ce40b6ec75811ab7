import { accessSync, constants } from "node:fs";

/** Whether there is a file at this path, or where it leads, that this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
