import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { type Lease, RunLimits, RunTerms } from "../protocol";

export type LeaseKit = { lease: Lease; blobs: Map<string, Buffer> };

let count = 0;

/** A lease of a skill whose only file is this fixture, changed by `edit`, and the bytes that a server returns for it. */
export function makeLease(
  fixture: string,
  changes: Partial<Lease> = {},
  edit: (text: string) => string = (text) => text,
): LeaseKit {
  const bytes = Buffer.from(edit(readFileSync(new URL(`../fixtures/${fixture}`, import.meta.url), "latin1")), "latin1");
  const file = { path: basename(fixture), mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  const files = changes.files ?? [file];
  count += 1;
  const lease: Lease = {
    runId: `run-${count}`,
    fence: 1,
    skillName: "fixture",
    versionDigest: digestFiles(files),
    files,
    entry: file.path,
    schema: null,
    args: {},
    env: [],
    limits: RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 }),
    terms: RunTerms.parse({}),
    secrets: [],
    ...changes,
  };
  return { lease, blobs: new Map([[file.sha256, bytes]]) };
}
