import type { KeyObject } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { environmentFor, placeOf } from "@/lib/core/command-place";
import { parseEnv } from "@/lib/core/env";
import { databaseAddress } from "@/lib/db/database";
import { CHAIN_KEY_FILE, parseKey } from "../chain/chain-key";
import { checkChain } from "../chain/check-chain";
import type { StoredEvent } from "../chain/event-columns";
import type { ChainResult } from "../chain/verify-chain";
import { readEventLines } from "../segments/read-segment";
import { verifyFolder } from "./verify-folder";

const USAGE = `usage: npm run audit:verify -- [--data DIR] [--json]
       npm run audit:verify -- EXPORT.ndjson[.gz] --key audit-chain.key [--json]`;

/**
 * Checks the chain of a data directory, or of an exported file, without a server and without writing. Exit code 0 when all
 * events hold, 1 when one does not, 2 when there is nothing to check.
 */
async function main(): Promise<number> {
  const given = readArguments();
  if (given === null) return say(USAGE, 2);
  const { values, positionals } = given;
  if (values.help) return say(USAGE, 0);
  const [file, ...more] = positionals;
  if (more.length > 0 || (file === undefined) !== (values.key === undefined) || (file && values.data))
    return say(USAGE, 2);
  const clock = performance.now();
  const result = file === undefined ? await checkFolder(values.data) : await checkExport(file, values.key ?? "");
  if (typeof result === "string") return say(result, 2);
  report(result, { json: values.json ?? false, seconds: (performance.now() - clock) / 1000 });
  return result.firstBroken === null ? 0 : 1;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: "string" },
        key: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return null;
  }
}

async function checkFolder(given: string | undefined): Promise<ChainResult | string> {
  const parsed = parseEnv(environmentFor(given));
  if ("problems" in parsed) return parsed.problems.join("\n");
  const folder = parsed.env.keyDir;
  const address = databaseAddress(parsed.env);
  if ("file" in address && !existsSync(address.file)) return `There is no database ${address.file}.`;
  if (!existsSync(join(folder, CHAIN_KEY_FILE)))
    return `There is no ${CHAIN_KEY_FILE} in ${folder}: without it nothing can be checked.`;
  return verifyFolder(folder, address);
}

async function checkExport(given: string, keyGiven: string): Promise<ChainResult | string> {
  const [file, keyFile] = [placeOf(given), placeOf(keyGiven)];
  for (const path of [file, keyFile]) if (!existsSync(path)) return `There is no file ${path}.`;
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
  for (const { fromSeq, toSeq } of segments.absent) console.log(`Sealed and not here: events ${fromSeq} to ${toSeq}.`);
  if (firstBroken === null) console.log("The audit holds.");
  else console.error(`The audit does not hold. ${firstBroken.message}`);
}

function say(text: string, code: number): number {
  console.error(text);
  return code;
}

process.exitCode = await main();

/**
 * Checks an exported file with nothing but the chain's key. The export may begin anywhere; from its first event on none may
 * be missing, so an export with filters does not hold as a chain. Whether something came after it, it cannot say.
 */
export async function verifyExport(key: KeyObject, batches: AsyncIterable<StoredEvent[]>): Promise<ChainResult> {
  const check = checkChain({ key, signed: new Map() });
  let firstBroken: ChainResult["firstBroken"] = null;
  let isFirst = true;
  for await (const rows of batches) {
    const [first] = rows;
    if (isFirst && first) check.skip({ seq: Number(first.seq) - 1, hash: String(first.prevHash) });
    isFirst = false;
    firstBroken = check.feed(rows);
    if (firstBroken !== null) break;
  }
  firstBroken ??= check.end();
  const { checked, last } = check;
  return {
    checked,
    firstBroken,
    head: null,
    unsigned: checked,
    chainedLater: 0,
    segments: { present: 0, absent: [] },
    last,
  };
}
