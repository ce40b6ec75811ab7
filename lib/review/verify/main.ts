import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { environmentFor, placeOf } from "@/lib/core/command-place";
import { parseEnv } from "@/lib/core/env";
import { databaseAddress } from "@/lib/db/database-address";
import { ApprovalBundle } from "../schema";
import type { VerifiedApproval } from "./verified-approval";
import { verifyBundle } from "./verify-bundle";
import { verifyData } from "./verify-data";
import { verifyFolder } from "./verify-folder";

const USAGE = `usage: npm run verify-approval -- BUNDLE.json [--key KEY_ID] [--files FOLDER]
       npm run verify-approval -- [--data DIR]`;

/** Checks approvals offline. Exit code 0 when all hold, 1 when one does not, 2 when there is nothing to check. */
async function main(): Promise<number> {
  const given = readArguments();
  if (given === null) return say(USAGE, 2);
  const { values, positionals } = given;
  if (values.help) return say(USAGE, 0);
  const [file, ...more] = positionals;
  if (more.length > 0 || (file !== undefined && values.data !== undefined)) return say(USAGE, 2);
  if (file === undefined) return checkData(values.data);
  return checkBundle(placeOf(file), { key: values.key, files: values.files && placeOf(values.files) });
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: "string" },
        key: { type: "string" },
        files: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return null;
  }
}

function checkBundle(file: string, { key, files }: { key?: string | undefined; files?: string | undefined }): number {
  if (!existsSync(file)) return say(`There is no file ${file}.`, 2);
  if (files !== undefined && !existsSync(files)) return say(`There is no folder ${files}.`, 2);
  const parsed = ApprovalBundle.safeParse(readJson(file));
  if (!parsed.success) return say(`${file} is not an approval bundle.`, 1);
  const bundle = parsed.data;
  const verified = verifyBundle(bundle, key);
  const inFolder = verified.problem === null && files !== undefined ? verifyFolder(files, bundle.files) : null;
  const problem = verified.problem ?? inFolder;
  if (problem === null && key === undefined) {
    console.log(
      `Signed with the key ${verified.keyIds.join(", ")}: compare it with GET /api/review-keys, or pass --key.`,
    );
  }
  return report([{ ...verified, problem }]);
}

async function checkData(given: string | undefined): Promise<number> {
  const parsed = parseEnv(environmentFor(given));
  if ("problems" in parsed) return say(parsed.problems.join("\n"), 2);
  const address = databaseAddress(parsed.env);
  if ("file" in address && !existsSync(address.file)) return say(`There is no database ${address.file}.`, 2);
  const { keyIds, approvals } = await verifyData(parsed.env.keyDir, address);
  console.log(`Checked with the key ${keyIds.join(", ") || "(none)"}.`);
  return report(approvals);
}

function report(approvals: VerifiedApproval[]): number {
  const rows = approvals.map(({ skill, digest, class: decided, signers, problem }) => [
    problem === null ? "ok" : "FAILED",
    skill,
    digest.slice(0, 12),
    decided,
    signers.join(", "),
  ]);
  const table = [["", "skill", "version", "class", "signed by"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  const failed = approvals.filter(({ problem }) => problem !== null);
  for (const { skill, digest, problem } of failed) console.error(`${skill} ${digest.slice(0, 12)}: ${problem}.`);
  console.log(`${approvals.length - failed.length} of ${approvals.length} approvals hold.`);
  return failed.length === 0 ? 0 : 1;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // The schema then refuses it.
  }
}

function say(text: string, code: number): number {
  console.error(text);
  return code;
}

process.exitCode = await main();
