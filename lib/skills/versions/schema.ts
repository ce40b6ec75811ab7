import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { Diagnostic, FileMode, JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";

export const VersionState = z.enum(["draft", "pending", "approved", "changes_requested", "rejected", "revoked"]);
export type VersionState = z.infer<typeof VersionState>;

export const VersionRef = z.object({ digest: z.string(), number: z.number().int(), state: VersionState });
export type VersionRef = z.infer<typeof VersionRef>;

/**
 * Origin of trust. `unreviewed`: not approved; else `bundled` with the release, `workspace` (authored or imported here,
 * or from an operator's directory) or `indexed` (from a catalog source).
 */
export const TrustTier = z.enum(["bundled", "workspace", "indexed", "unreviewed"]);
export type TrustTier = z.infer<typeof TrustTier>;

/**
 * State of the signatures, which cover all files. `verified`: all required ones are valid. `failed`: signed and stored
 * data differ. `unsigned`: no approval counts.
 */
export const SignatureState = z.enum(["verified", "failed", "unsigned"]);

export const Trust = z.object({
  tier: TrustTier,
  signature: SignatureState,
  problem: z.string().nullable(),
});
export type Trust = z.infer<typeof Trust>;

export const ChangelogInput = z.strictObject({
  changelog: z
    .string()
    .trim()
    .max(4000)
    .transform((text) => text || null)
    .nullable(),
});
export type ChangelogInput = z.infer<typeof ChangelogInput>;

export const FileInput = z
  .object({
    path: z.string().min(1).max(240),
    text: z.string().optional(),
    base64: z.base64().optional(),
    mode: FileMode.optional(),
  })
  .refine((file) => (file.text === undefined) !== (file.base64 === undefined), "give either text or base64");
export type FileInput = z.infer<typeof FileInput>;

/** A file of an edit. `sha256` refers to bytes of another version of the same skill, which need not be sent again. */
export const VersionFileInput = z
  .object({
    path: z.string().min(1).max(240),
    text: z.string().optional(),
    base64: z.base64().optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be 64 hex digits")
      .optional(),
    mode: FileMode.optional(),
  })
  .refine(
    ({ text, base64, sha256 }) => [text, base64, sha256].filter((content) => content !== undefined).length === 1,
    "give one of text, base64 and sha256",
  );
export type VersionFileInput = z.infer<typeof VersionFileInput>;

export const CreateVersionInput = z.object({
  files: z.array(VersionFileInput).min(1).max(500),
  baseDigest: z.string().describe("Digest of the version that was edited."),
});
export type CreateVersionInput = z.infer<typeof CreateVersionInput>;

export const VersionAdvice = z.object({
  quality: z.array(Diagnostic),
  specLosses: z.array(Diagnostic),
});
export type VersionAdvice = z.infer<typeof VersionAdvice>;

export const ResolvedTool = z.object({
  name: z.string(),
  impl: z.string().nullable(),
  class: SkillClass,
  description: z.string().nullable(),
  builtin: z.string().nullable().describe("Name of the built-in that implements it."),
  skillId: z.string().nullable().describe("Id of the skill with this built-in; null without one."),
  problem: z.string().nullable().describe("Why the tool cannot be used, as a sentence."),
});
export type ResolvedTool = z.infer<typeof ResolvedTool>;

export const DeclaredToolList = z.object({ items: z.array(ResolvedTool) });
export type DeclaredToolList = z.infer<typeof DeclaredToolList>;

export const VersionFile = z.object({
  path: z.string(),
  mode: FileMode,
  sha256: z.string(),
  size: z.number().int(),
  isText: z.boolean(),
});
export type VersionFile = z.infer<typeof VersionFile>;

export const VersionDecision = z.object({
  id: z.string(),
  /** `activate`: a person activated the approved version. */
  decision: z.enum(["approve", "request_changes", "reject", "revoke", "activate"]),
  comment: z.string(),
  class: SkillClass.nullable(),
  grants: Grants.nullable(),
  entry: ScriptEntry.nullable(),
  actor: z.object({ id: z.string(), name: z.string() }),
  soloMode: z.boolean(),
  createdAt: IsoTime,
  /** For approvals and activations: hash of the approved content, in hex; else null. */
  subject: z.string().nullable(),
  /** Ed25519 signature of the signer's statement, in base64; null for decisions without a statement. */
  signature: z.string().nullable(),
  /** SHA-256 of the public key, in hex; see `GET /api/review-keys`. */
  keyId: z.string().nullable(),
  /** For approvals: `open` needs more signatures, `counts` is valid, `void` no longer counts. Else null. */
  standing: z.enum(["open", "counts", "void"]).nullable(),
  trust: Trust,
});
export type VersionDecision = z.infer<typeof VersionDecision>;

export const VersionSummary = VersionRef.extend({
  createdAt: IsoTime,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  active: z.boolean().describe("Whether it is the active version. To activate another approved one: `…/activate`."),
  class: SkillClass.nullable(),
  decisions: z.array(VersionDecision),
  trust: Trust,
  changelog: z.string().nullable(),
  returnedReason: z.string().nullable(),
});
export type VersionSummary = z.infer<typeof VersionSummary>;

/** A fact about a version with its place in the files. `stands-out`: worth checking; no verdict. */
export const CapabilityFact = z.object({
  kind: z.enum([
    "tool",
    "tool-denied",
    "hook",
    "inline-command",
    "install",
    "class",
    "entry",
    "env",
    "host",
    "interpreter",
    "ask",
    "capability",
    "program",
    "path",
    "credential",
  ]),
  fact: z.string(),
  value: z.string(),
  tone: z.enum(["plain", "stands-out"]),
  path: z.string().nullable(),
  line: z.number().int().positive().nullable(),
});
export type CapabilityFact = z.infer<typeof CapabilityFact>;

/** In display order. Empty groups are included, so that pages can show “none”. */
export const CapabilityGroup = z.object({
  group: z.enum(["tools", "load", "asks", "class", "entry", "environment", "network", "files", "credentials"]),
  title: z.string(),
  facts: z.array(CapabilityFact),
  more: z.number().int().nonnegative(),
});
export type CapabilityGroup = z.infer<typeof CapabilityGroup>;

export const FindingSeverity = z.enum(["critical", "high", "medium", "info"]);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

const Dismissal = z.object({
  by: z.object({ id: z.string(), name: z.string() }),
  at: IsoTime,
  reason: z.string(),
  acceptedUntil: IsoTime.nullable().describe(
    "Set for an accepted finding: it is settled in every version of the skill until then, while its lines are the same.",
  ),
});

/** Result of a scan rule, with its place in the files; no verdict. Most severe first. */
export const VersionFinding = z.object({
  rule: z.string(),
  ruleVersion: z.number().int(),
  severity: FindingSeverity,
  /** Rule whose finding in the same skill raised the severity; null for the rule's own severity. */
  raisedBy: z.string().nullable(),
  path: z.string(),
  /** From 1, in the source file. */
  line: z.number().int(),
  column: z.number().int(),
  endLine: z.number().int().nullable(),
  /** Matched text, at most 300 characters; invisible ones as `\u{…}`. */
  text: z.string(),
  why: z.string(),
  /** `source`, or the name of the decoded view that matched. */
  view: z.string(),
  /** Identifies the finding in `…/findings/{fingerprint}/dismiss`. */
  fingerprint: z.string(),
  more: z.number().int(),
  isNew: z.boolean(),
  dismissed: Dismissal.nullable(),
  /** Dismissal of the same finding in another version; here it is open again. */
  dismissedBefore: Dismissal.extend({ digest: z.string() }).nullable(),
});
export type VersionFinding = z.infer<typeof VersionFinding>;

/** Result of verifying the author's signature. Information only. */
export const AuthorSignature = z.object({
  state: z
    .enum(["unsigned", "valid", "unknown_key", "invalid"])
    .describe(
      "valid: made with a key of the setting authorKeys; unknown_key: made with another key; invalid: not made with the key that it names, or not a signature.",
    ),
  key: z.string().nullable().describe("Name of the key in the setting authorKeys."),
  message: z.string(),
});
export type AuthorSignature = z.infer<typeof AuthorSignature>;

export const Version = VersionSummary.extend({
  skillId: z.string(),
  manifest: SkillManifest,
  provenance: JsonObject,
  submittedAt: IsoTime.nullable(),
  /** Person who submitted it for review; null for drafts. */
  submittedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Class of its runs unless a reviewer chooses another. */
  proposedClass: SkillClass,
  /** Reason as the end of a sentence: “declared by its author”. */
  proposedClassReason: z.string(),
  grants: Grants.nullable(),
  /** Script that its approval made runnable; null when its files name an entry, or nothing is run. */
  entry: ScriptEntry.nullable(),
  /** Script of the active version, proposed for this one, and whether the file changed. */
  carriedEntry: z
    .object({ entry: ScriptEntry, from: VersionRef, file: z.enum(["unchanged", "changed", "gone"]) })
    .nullable(),
  /** Grants of a decision that names none: as declared, never network. */
  declaredGrants: Grants,
  timeLimitSeconds: z
    .number()
    .int()
    .describe("Time limit of its runs: the granted one, else the declared one, at most `maxTimeLimitSeconds`."),
  maxTimeLimitSeconds: z.number().int().describe("The server’s setting `maxTimeoutSeconds`."),
  files: z.array(VersionFile),
  diagnostics: z.array(Diagnostic),
  findings: z.array(VersionFinding),
  /** `incomplete`: a part could not be scanned; a finding explains it. */
  scan: z.object({
    state: z.enum(["complete", "incomplete", "pending"]),
    rulesVersion: z.string().nullable(),
    at: IsoTime.nullable(),
  }),
  capabilities: z.array(CapabilityGroup).nullable(),
  /** Signatures of the open round, else of the counting approval; `needed` for the highest class named so far. */
  approvals: z.object({
    given: z.number().int(),
    needed: z.number().int(),
    by: z.array(z.object({ id: z.string(), name: z.string(), at: IsoTime })),
    /** Terms of the open round, which the next signer has to sign too; null before its first signature. */
    terms: z.object({ class: SkillClass, grants: Grants, entry: ScriptEntry.nullable() }).nullable(),
    maySign: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .nullable()
      .describe(
        "People who may give a missing approval, at most 20. Null when none is open, and for callers other than reviewers, admins, its owner and its authors.",
      ),
  }),
  /** What the caller may do; `whyNot` explains why they may not approve. */
  you: z.object({
    mayApprove: z.boolean(),
    whyNot: z.string().nullable(),
    /** Whether they approve it as its owner, for their own use, within the plain sandbox. */
    forOwnUse: z.boolean(),
    mayRefuse: z.boolean(),
    mayRevoke: z.boolean(),
    /** Never true for its authors and the skill's owner, except in solo mode. */
    mayDismiss: z.boolean(),
    mayReopen: z.boolean(),
    mayActivate: z
      .boolean()
      .describe("Whether the caller may activate it. The request itself checks whether its approval still suffices."),
    whyNotActivate: z
      .string()
      .nullable()
      .describe("For an approved, inactive version: why the caller may not activate it."),
  }),
  activatable: z
    .array(VersionRef)
    .describe("The skill’s approved, inactive versions, newest first, at most 20: the choice after a revocation."),
  subject: z.string().nullable(),
  signature: AuthorSignature,
  notServed: z
    .string()
    .nullable()
    .describe("For an approved version that can be run: why no worker may run it now. Null when one may."),
});
export type Version = z.infer<typeof Version>;

export const FileDiff = z.object({
  path: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  modeBefore: FileMode.nullable(),
  modeAfter: FileMode.nullable(),
  /** Unified hunks; null for binaries and files over 1 MiB. Lines begin with a space, `+`, `-` or `\`. */
  hunks: z
    .array(
      z.object({
        oldStart: z.number(),
        oldLines: z.number(),
        newStart: z.number(),
        newLines: z.number(),
        lines: z.array(z.string()),
      }),
    )
    .nullable(),
});
export type FileDiff = z.infer<typeof FileDiff>;

export const VersionDiff = z.object({
  digest: z.string(),
  against: z.string(),
  files: z.array(FileDiff),
  /** Changed declarations: class, entry, environment, tools, schema. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Class and grants: those decided for `against`, and the default of a decision on this version. */
  class: z.object({ before: SkillClass, after: SkillClass, changed: z.boolean() }),
  grants: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  newHosts: z.array(z.object({ host: z.string(), path: z.string(), line: z.number().int().nullable() })),
  newExecutables: z.array(
    z.object({
      path: z.string(),
      line: z.number().int().nullable(),
      why: z.string(),
    }),
  ),
  findings: z.object({ added: z.array(VersionFinding), removed: z.array(VersionFinding) }).nullable(),
});
export type VersionDiff = z.infer<typeof VersionDiff>;

export const SkillInstructions = z.object({
  name: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  instructions: z.string(),
  allowedTools: z.array(z.string()).nullable(),
  contextFork: z.boolean(),
  resources: z.array(z.string()),
  digest: z.string(),
});
export type SkillInstructions = z.infer<typeof SkillInstructions>;
