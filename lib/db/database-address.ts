import { join } from "node:path";
import type { Env } from "@/lib/core/env";
import type { DatabaseAddress } from "./database";

/** `DATABASE_URL` (`postgresql://…` or `file:…`), else the file `skillgate.db` in the data directory. */
export function databaseAddress({
  DATABASE_URL: url,
  dataDir,
  keyDir,
}: Pick<Env, "DATABASE_URL" | "dataDir" | "keyDir">): DatabaseAddress {
  const folders = { keyFolder: keyDir, workFolder: dataDir };
  if (url !== undefined && !url.startsWith("file:")) return { url, ...folders };
  return { file: url?.replace(/^file:/, "") ?? join(dataDir, "skillgate.db"), ...folders };
}
