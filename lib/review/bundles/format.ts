import { z } from "zod";
import { CHAIN_COLUMNS, EVENT_COLUMNS } from "@/lib/audit/chain/chain-events";
import { AppError } from "@/lib/core/errors";
import { IsoTime } from "@/lib/core/schema";
import { MAX_FILE_BYTES, MAX_SKILL_FILES } from "@/lib/skill-format/archive/limits";
import { FileMode, SkillClass } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/versions/schema";
import { ExportedAnalysis } from "../analysis/schema";

/**
 * A bundle is one file: the signed manifest as the first line, then the records that it names, in its order, each
 * followed by a line feed. A record of a version is JSON, a record of a file is its bytes. Nothing is compressed and no
 * record has a path on the disk. See docs/decisions/052.
 */
export const BUNDLE_FORMAT = "skillgate-bundle/1";

/** Limits in bytes unless the name says otherwise; exports and imports apply the same. */
export const MAX_BUNDLE_BYTES = 1024 * 1024 * 1024;
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
export const MAX_VERSION_RECORD_BYTES = 16 * 1024 * 1024;
export const MAX_VERSIONS = 5_000;
const MAX_FILES = 50_000;
const MAX_ROWS_OF_VERSION = 1_000;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Id = z.string().min(1).max(200);
/** One line that cannot disguise itself as another, and that both databases store. */
const Name = z
  .string()
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, "must be one line without control characters");
const Text = z.string().max(1_000_000);
const PersonRef = z.strictObject({ id: Id, name: Name });

const VersionRef = z.strictObject({
  kind: z.literal("version"),
  /** Slug and number, to name the record before it is read. */
  name: z.string().max(200),
  bytes: z.number().int().min(2).max(MAX_VERSION_RECORD_BYTES),
  sha256: Hash,
});
const FileRef = z.strictObject({
  kind: z.literal("file"),
  bytes: z.number().int().min(0).max(MAX_FILE_BYTES),
  sha256: Hash,
});
export type RecordRef = z.infer<typeof VersionRef> | z.infer<typeof FileRef>;

export const BundleManifest = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  instance: z.strictObject({
    name: Name,
    /** SHA-256 of the public key's DER form, in hex. */
    keyId: Hash,
    /** PEM (SPKI, Ed25519). */
    publicKey: z.string().max(1_000),
  }),
  exportedAt: IsoTime,
  exportedBy: PersonRef,
  audit: z.strictObject({
    /** The newest event of each chain at the time of the export. */
    chains: z
      .array(z.strictObject({ chain: z.number().int(), place: z.number().int(), hash: z.string().max(64) }))
      .max(2_000),
    /** Events up to this time are sealed in files and not in the bundle; null when none is. */
    sealedUntil: IsoTime.nullable(),
  }),
  versions: z.array(VersionRef).min(1).max(MAX_VERSIONS),
  files: z.array(FileRef).max(MAX_FILES),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

const BundleDecision = z.strictObject({
  id: Id,
  decision: z.enum(["approve", "request_changes", "reject", "revoke", "activate"]),
  comment: Text,
  class: SkillClass.nullable(),
  grants: Text.nullable(),
  entry: Text.nullable(),
  subject: Hash.nullable(),
  actor: PersonRef,
  soloMode: z.boolean(),
  createdAt: IsoTime,
  standing: z.enum(["open", "counts", "void"]).nullable(),
  subjectJson: Text.nullable(),
  statement: Text.nullable(),
  signature: z.string().max(200).nullable(),
  keyId: z.string().max(64).nullable(),
  tier: z.string().max(20).nullable(),
});
export type BundleDecision = z.infer<typeof BundleDecision>;

const EventValue = z.union([Text, z.number(), z.boolean(), z.null()]);
/** A row of the audit log with its hashes, as `GET /api/audit/export` writes it. */
const BundleEvent = z.strictObject(
  Object.fromEntries([...EVENT_COLUMNS, ...CHAIN_COLUMNS].map((column) => [column, EventValue])),
);

/** The record of one version: everything that the exporting instance knows and decided about it. */
export const BundleVersion = z.strictObject({
  skill: z.strictObject({ id: Id, ownerKey: z.string().max(500), slug: z.string().min(1).max(200), name: Name }),
  number: z.number().int().min(1),
  digest: Hash,
  state: VersionState.exclude(["draft"]),
  isActive: z.boolean(),
  class: SkillClass.nullable(),
  grants: Text.nullable(),
  entry: Text.nullable(),
  subject: Hash.nullable(),
  /** JSON, exactly as its signers saw it. The importing instance reads the files itself. */
  manifest: Text,
  provenance: Text,
  changelog: Text.nullable(),
  createdAt: IsoTime,
  createdBy: PersonRef,
  submittedBy: PersonRef.nullable(),
  files: z
    .array(
      z.strictObject({
        path: z.string().max(1_000),
        mode: FileMode,
        sha256: Hash,
        size: z.number().int().min(0).max(MAX_FILE_BYTES),
      }),
    )
    .min(1)
    .max(MAX_SKILL_FILES),
  decisions: z.array(BundleDecision).max(MAX_ROWS_OF_VERSION),
  /** Its audited decisions and dry runs, by number. */
  events: z.array(BundleEvent).max(MAX_ROWS_OF_VERSION),
  analyses: z.array(ExportedAnalysis.strict()).max(100),
});
export type BundleVersion = z.infer<typeof BundleVersion>;

/** Throws `archive_rejected`. A bundle is imported as a whole or not at all. */
export function rejectBundle(what: string, cause?: unknown): never {
  throw new AppError("archive_rejected", `The bundle is refused: ${what}. Nothing was imported.`, { cause });
}

export function nameOfVersion({ skill, number }: Pick<BundleVersion, "skill" | "number">): string {
  return `${skill.slug}@${number}`;
}
