import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { CommandEnd, commandEnv, placeOf, runCommand } from "@/lib/core/command-line";
import { existingDatabase } from "@/lib/db/database";
import { CHAIN_KEY_FILE, parseKey } from "./chain/chain-key";
import type { ChainResult } from "./chain/verify-chain";
import { readEventLines } from "./segments";
import { verifyExport, verifyFolder } from "./verify-folder";

const USAGE = `usage: npm run audit:verify -- [--data DIR] [--json]
       npm run audit:verify -- EXPORT.ndjson[.gz] --key audit-chain.key [--json]`;

/** Exit code 0 when all events are valid, 1 when one is invalid, 2 when there is nothing to check. */
await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: "string" },
      key: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) throw new CommandEnd(USAGE, 0);
  const [file, ...more] = positionals;
  if (more.length > 0 || (file === undefined) !== (values.key === undefined) || (file && values.data))
    throw new CommandEnd(USAGE, 2);
  const clock = performance.now();
  const result = file === undefined ? await checkFolder(values.data) : await checkExport(file, values.key ?? "");
  report(result, { json: values.json ?? false, seconds: (performance.now() - clock) / 1000 });
  return result.firstBroken === null ? 0 : 1;
});

async function checkFolder(data: string | undefined): Promise<ChainResult> {
  const env = commandEnv(data);
  const address = existingDatabase(env);
  if (!existsSync(join(env.keyDir, CHAIN_KEY_FILE)))
    throw new CommandEnd(
      `${CHAIN_KEY_FILE} is missing in ${env.keyDir}. The audit log cannot be checked without it.`,
      2,
    );
  return verifyFolder(env.keyDir, address);
}

async function checkExport(given: string, keyGiven: string): Promise<ChainResult> {
  const [file, keyFile] = [placeOf(given), placeOf(keyGiven)];
  for (const path of [file, keyFile]) if (!existsSync(path)) throw new CommandEnd(`File not found: ${path}`, 2);
  const source = createReadStream(file);
  const input = file.endsWith(".gz") ? source.pipe(createGunzip()) : source;
  return verifyExport(parseKey(readFileSync(keyFile, "utf8")), readEventLines(input));
}

function report(result: ChainResult, { json, seconds }: { json: boolean; seconds: number }): void {
  if (json) {
    console.log(JSON.stringify({ ok: result.firstBroken === null, ...result }));
    return;
  }
  const { checked, firstBroken, head, unsigned, segments, chainedLater } = result;
  console.log(`Checked ${checked} events in ${seconds.toFixed(1)} s.`);
  if (head !== null) console.log(`Newest signed head: event ${head.seq} at ${head.at}; ${unsigned} events after it.`);
  if (chainedLater > 0) console.log(`Events up to ${chainedLater} are older than the chain and were chained later.`);
  for (const { fromSeq, toSeq } of segments.absent) console.log(`Sealed file missing: events ${fromSeq} to ${toSeq}.`);
  if (firstBroken === null) console.log("The audit log is valid.");
  else console.error(`The audit log is not valid. ${firstBroken.message}`);
}
