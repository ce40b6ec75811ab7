import { readFile } from "node:fs/promises";
import { sha256Hex } from "@/lib/core/hash";
import type { Server } from "../connect-server";
import type { SkillScan } from "./scan-skills";

const MAX_ROUNDS = 5;

/** Writes one line of the log. */
export type SayLine = (level: "info" | "warn", text: string) => void;

/**
 * Says what the worker has, sends the files that the server lacks, and says it again, until nothing is missing. False when
 * a file changed meanwhile: then it has to be read anew. Throws ServerError.
 */
export async function publishInventory(
  server: Server,
  { scan, say }: { scan: SkillScan; say: SayLine },
  signal: AbortSignal,
): Promise<boolean> {
  const { items, problems, sources } = scan;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = await server.sendInventory({ items, problems }, signal);
    if (answer.need.length === 0) {
      for (const { message } of answer.problems) say("warn", `skill loader: ${message}`);
      return true;
    }
    for (const sha256 of answer.need) {
      const source = sources.get(sha256);
      const bytes = source === undefined ? null : await readFile(source).catch(() => null);
      if (bytes === null || sha256Hex(bytes) !== sha256) return false;
      await server.sendBlob(sha256, bytes, signal);
    }
  }
  return false;
}
