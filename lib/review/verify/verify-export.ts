import { createPublicKey } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { keyIdOf } from "@/lib/core/signing-key";
import { checkApproval } from "@/lib/policy/check-approval";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { ApprovalBundle } from "../schema";
import type { VerifiedApproval } from "./verify-data";

const SubjectPart = z.object({ skillId: z.string(), versionDigest: z.string(), class: z.string() });

const StatementPart = z.object({ decisionId: z.string(), signer: z.object({ id: z.string(), name: z.string() }) });

/** Compares a folder with the approved files and the digest of their version; returns a clause, or null when equal. */
export function verifyFolder(folder: string, files: { path: string; sha256: string }[], digest: string): string | null {
  const present = new Set(listFiles(folder, ""));
  for (const { path, sha256 } of files) {
    if (!present.delete(path)) return `${path} is missing in the folder`;
    // Its bytes are those of another place, where they can change.
    if (!lstatSync(join(folder, path)).isFile()) return `${path} in the folder is not a file of its own`;
    if (sha256Hex(readFileSync(join(folder, path))) !== sha256) return `${path} in the folder has different bytes`;
  }
  const [more] = present;
  if (more !== undefined) return `${more} in the folder is not part of the approved version`;
  // Windows keeps no executable bit.
  if (process.platform === "win32" || digestFiles(files.map((file) => withMode(folder, file))) === digest) return null;
  return "the bytes are the approved ones, but a file in the folder is executable that was not when approved, or the reverse";
}

function withMode(folder: string, { path, sha256 }: { path: string; sha256: string }) {
  const isExecutable = (lstatSync(join(folder, path)).mode & 0o111) !== 0;
  return { path, sha256, mode: isExecutable ? ("755" as const) : ("644" as const) };
}

function listFiles(folder: string, inside: string): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, path) : [path];
  });
}

/** Verifies an exported approval from its contents. Without `pinned`, the caller has to compare the keys. */
export function verifyBundle(bundle: ApprovalBundle, pinned?: string): VerifiedApproval & { keyIds: string[] } {
  const keyIds = [...new Set(bundle.signatures.map(({ keyId }) => keyId))];
  // No signature covers the name, only the id.
  const about = {
    skillId: bundle.skill.id,
    skill: bundle.skill.name,
    digest: bundle.versionDigest,
    class: "",
    signers: [] as string[],
    keyIds,
  };
  try {
    const subject = SubjectPart.parse(JSON.parse(bundle.subjectJson));
    const statements = bundle.signatures.map(({ statement }) => StatementPart.parse(JSON.parse(statement)));
    const named = { ...about, class: subject.class, signers: statements.map(({ signer }) => signer.name) };
    if (subject.versionDigest !== bundle.versionDigest || subject.skillId !== bundle.skill.id) {
      return { ...named, problem: "its subject is about another skill or version" };
    }
    const problem = checkApproval({
      versionDigest: bundle.versionDigest,
      files: bundle.files,
      subjectJson: bundle.subjectJson,
      subject: bundle.subject,
      signatures: bundle.signatures.map((signature, index) => ({
        ...signature,
        decisionId: statements[index]?.decisionId ?? "",
        signerId: statements[index]?.signer.id ?? "",
        subject: bundle.subject,
        subjectJson: bundle.subjectJson,
      })),
      keys: readKeys(bundle, pinned),
    });
    return { ...named, problem };
  } catch {
    return { ...about, problem: "its subject, a statement or a key cannot be read" };
  }
}

/** The id is computed from the key, never taken from the bundle. */
function readKeys(bundle: ApprovalBundle, pinned: string | undefined) {
  const keys = bundle.keys.map(({ publicKey }) => readKey(publicKey));
  return new Map(
    keys.map((key) => [keyIdOf(key), key] as const).filter(([id]) => pinned === undefined || id === pinned),
  );
}

/** Refuses other PEM encodings of the same key. */
function readKey(pem: string) {
  const key = createPublicKey(pem);
  if (key.export({ type: "spki", format: "pem" }).toString().trim() !== pem.trim())
    throw new Error("the key has another encoding");
  return key;
}
