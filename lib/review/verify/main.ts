import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { environmentFor, placeOf } from "@/lib/core/command-line";
import { parseEnv } from "@/lib/core/env";
import { printable, printableJson } from "@/lib/core/printable-text";
import { databaseAddress } from "@/lib/db/database";
import { verifyEnvelope, verifySshSignatures } from "@/lib/review/attest/verify-envelope";
import { AttestationKeySet, Envelope, SshSignatureList } from "../attest/schema";
import { ApprovalBundle } from "../schema";
import { describeApprovals } from "./describe-approvals";
import { type VerifiedApproval, verifyData } from "./verify-data";
import { verifyBundle, verifyFolder } from "./verify-export";
import { type BrokenRun, verifyRuns } from "./verify-runs";

const USAGE =
  `usage: npm run verify-approval -- ATTESTATION.json --keys KEYS.json [--key KEY_ID] [--digest DIGEST] [--ended ENDED.json] [--files FOLDER] [--signatures SIGNATURES.json --signers ALLOWED_SIGNERS]
       npm run verify-approval -- BUNDLE.json [--key KEY_ID] [--files FOLDER]
       npm run verify-approval -- [--data DIR]
       npm run verify-approval -- --runs [--data DIR] [--json]`.split("\n");

/** Exit code 0 when all approvals or runs hold, 1 when one does not, 2 when there is nothing to verify. */
async function main(): Promise<number> {
  const given = readArguments();
  if (given === null) return exitWith(USAGE, 2);
  const { values, positionals } = given;
  if (values.help) return exitWith(USAGE, 0);
  const [file, ...more] = positionals;
  if (more.length > 0 || (file !== undefined && values.data !== undefined)) return exitWith(USAGE, 2);
  if (values.runs) return file === undefined ? checkRuns(values) : exitWith(USAGE, 2);
  if (values.json) return exitWith(USAGE, 2);
  if (file === undefined) return checkData(values.data);
  const { key, digest } = values;
  const files = values.files && placeOf(values.files);
  if (!existsSync(placeOf(file))) return exitWith(`The file ${placeOf(file)} does not exist.`, 2);
  if (files && !existsSync(files)) return exitWith(`The folder ${files} does not exist.`, 2);
  const envelope = Envelope.safeParse(readJson(placeOf(file)));
  if (!envelope.success) return checkBundle(placeOf(file), { key, files });
  if (values.keys === undefined) return exitWith([NEEDS_KEYS, ...USAGE], 2);
  return checkAttestation(envelope.data, { ...values, keys: values.keys, key, digest, files });
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: "string" },
        runs: { type: "boolean" },
        json: { type: "boolean" },
        key: { type: "string" },
        keys: { type: "string" },
        digest: { type: "string" },
        ended: { type: "string" },
        signatures: { type: "string" },
        signers: { type: "string" },
        files: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return null;
  }
}

const NEEDS_KEYS =
  "An attestation is verified with the published keys: save GET /.well-known/skillgate-attestation-keys and pass it as --keys.";

type Given = {
  keys: string;
  key?: string | undefined;
  digest?: string | undefined;
  ended?: string | undefined;
  files?: string | undefined;
  signatures?: string | undefined;
  signers?: string | undefined;
};

function checkAttestation(envelope: Envelope, given: Given): number {
  const { keys: keyFile, key, digest, ended, files, signatures, signers: allowed } = given;
  if ((signatures === undefined) !== (allowed === undefined)) return exitWith(USAGE, 2);
  const keys = AttestationKeySet.safeParse(readJson(placeOf(keyFile)));
  if (!keys.success) return exitWith(`${keyFile} is not a list of attestation keys.`, 2);
  const list = ended === undefined ? undefined : Envelope.safeParse(readJson(placeOf(ended)));
  if (list?.success === false) return exitWith(`${ended} is not a list of ended approvals.`, 2);
  const verified = verifyEnvelope(envelope, { keys: keys.data, pinned: key, digest, ended: list?.data });
  if (verified.problem !== null) return exitWith(`The attestation does not verify: ${verified.problem}.`, 1);
  const { attestation, checkedAt, keyIds } = verified;
  const { skill, version, approvers, class: decided } = attestation.predicate;
  say(`Signed with the key ${keyIds.join(", ")}.`);
  if (checkedAt === null) say("Not checked: whether it was revoked since. Pass --ended to check it.");
  else say(`Not revoked at ${checkedAt}.`);
  if (signatures !== undefined && allowed !== undefined) {
    const list = SshSignatureList.safeParse(readJson(placeOf(signatures)));
    if (!list.success) return exitWith(`${signatures} is not a list of SSH signatures.`, 2);
    if (!existsSync(placeOf(allowed))) return exitWith(`The file ${placeOf(allowed)} does not exist.`, 2);
    const allowedSigners = readFileSync(placeOf(allowed), "utf8");
    const own = verifySshSignatures({ envelope, attestation, list: list.data, allowedSigners });
    if (own.problem !== null) return exitWith(`The approvers’ own signatures do not verify: ${own.problem}.`, 1);
    for (const { principal, fingerprint, as } of own.signed)
      say(`${principal} signed with ${fingerprint}. The list says that this is ${as}.`);
  }
  const listed = attestation.subject.slice(1).map(({ name, digest: { sha256 } }) => ({ path: name, sha256 }));
  const problem = files === undefined ? null : verifyFolder(files, listed, version.digest);
  const signers = approvers.map(({ name }) => name);
  return report([{ skillId: skill.id, skill: skill.name, digest: version.digest, class: decided, signers, problem }]);
}

function checkBundle(file: string, { key, files }: { key?: string | undefined; files?: string | undefined }): number {
  const parsed = ApprovalBundle.safeParse(readJson(file));
  if (!parsed.success) return exitWith(`${file} is not an approval bundle.`, 1);
  const bundle = parsed.data;
  const verified = verifyBundle(bundle, key);
  const inFolder =
    verified.problem === null && files !== undefined ? verifyFolder(files, bundle.files, bundle.versionDigest) : null;
  const problem = verified.problem ?? inFolder;
  if (problem === null && key === undefined) {
    say(`Signed with the key ${verified.keyIds.join(", ")}. Compare it with GET /api/review-keys, or pass --key.`);
  }
  return report([{ ...verified, problem }]);
}

async function checkData(given: string | undefined): Promise<number> {
  const place = findDatabase(given);
  if (place.problems !== undefined) return exitWith(place.problems, 2);
  const { keyIds, approvals } = await verifyData(place.keyDir, place.address);
  say(`Checked with the key ${keyIds.join(", ") || "(none)"}.`);
  return report(approvals);
}

async function checkRuns({ data, json }: { data?: string | undefined; json?: boolean | undefined }): Promise<number> {
  const place = findDatabase(data);
  if (place.problems !== undefined) return exitWith(place.problems, 2);
  const verified = await verifyRuns(place.keyDir, place.address);
  const { runs, former, broken } = verified;
  if (json) console.log(printableJson(verified));
  else {
    for (const run of broken) say(describeRun(run));
    const before =
      former === 0 ? "" : ` ${former} of them were approved or started before this release (marked “former”).`;
    say(`${runs} runs checked, ${broken.length} of them break the rules.${before}`);
  }
  return broken.length === 0 ? 0 : 1;
}

function describeRun({ id, startedAt, skill, versionDigest, isFormer, problems }: BrokenRun): string {
  const about = [id, startedAt, `${skill} ${versionDigest.slice(0, 12)}`, ...(isFormer ? ["former"] : [])];
  return `${about.join("  ")}  ${problems.join("; ")}.`;
}

function findDatabase(given: string | undefined) {
  const parsed = parseEnv(environmentFor(given));
  if ("problems" in parsed) return { problems: parsed.problems };
  const address = databaseAddress(parsed.env);
  if ("file" in address && !existsSync(address.file))
    return { problems: [`The database ${address.file} does not exist.`] };
  return { address, keyDir: parsed.env.keyDir };
}

function report(approvals: VerifiedApproval[]): number {
  const { table, problems, summary } = describeApprovals(approvals);
  for (const line of table) say(line);
  for (const line of problems) console.error(printable(line));
  say(summary);
  return problems.length === 0 ? 0 : 1;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // Refused by the schema.
  }
}

/** One line: what it quotes of files and the database can hold anything. */
function say(line: string): void {
  console.log(printable(line));
}

/** Several lines only for a list of them. */
function exitWith(text: string | string[], code: number): number {
  for (const line of [text].flat()) console.error(printable(line));
  return code;
}

process.exitCode = await main();
