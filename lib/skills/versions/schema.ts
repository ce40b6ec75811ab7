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
 * Where trust in a version comes from. `unreviewed`: nobody has approved it; else `bundled` with the release, `workspace`
 * (written or imported here, or from an operator's directory) or `indexed` (from a catalog source).
 */
export const TrustTier = z.enum(["bundled", "workspace", "indexed", "unreviewed"]);
export type TrustTier = z.infer<typeof TrustTier>;

/**
 * Of the approvals' signatures, which cover every file of the version. `verified`: all that are needed are there and
 * right. `failed`: something that was signed is not what is stored. `unsigned`: there is no approval that counts.
 */
export const SignatureState = z.enum(["verified", "failed", "unsigned"]);
export type SignatureState = z.infer<typeof SignatureState>;

export const Trust = z.object({
  tier: TrustTier,
  signature: SignatureState,
  /** What is wrong, as a sentence; null unless the signature failed. */
  problem: z.string().nullable(),
});
export type Trust = z.infer<typeof Trust>;

/** Plain text of several lines; empty is none. */
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

/** A file of an edit. `sha256` stands for bytes that a version of the same skill has, so that they need not be sent. */
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
  baseDigest: z.string().describe("Digest of the version the edit started from."),
});
export type CreateVersionInput = z.infer<typeof CreateVersionInput>;

export const VersionAdvice = z.object({
  quality: z.array(Diagnostic),
  /** What `as=spec` leaves out or says in another way. */
  specLosses: z.array(Diagnostic),
});
export type VersionAdvice = z.infer<typeof VersionAdvice>;

export const ResolvedTool = z.object({
  name: z.string(),
  impl: z.string().nullable(),
  class: SkillClass,
  description: z.string().nullable(),
  builtin: z.string().nullable().describe("Name of the built-in behind it."),
  skillId: z.string().nullable().describe("The skill that serves this built-in; null while none does."),
  problem: z.string().nullable().describe("Why the tool cannot be used here, a sentence."),
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
  /** `activate`: a person made the approved version the active one again. */
  decision: z.enum(["approve", "request_changes", "reject", "revoke", "activate"]),
  comment: z.string(),
  class: SkillClass.nullable(),
  grants: Grants.nullable(),
  /** The script that the approval makes runnable. */
  entry: ScriptEntry.nullable(),
  actor: z.object({ id: z.string(), name: z.string() }),
  soloMode: z.boolean(),
  createdAt: IsoTime,
  /** Of approvals and activations: the hash of what was approved, in hex. Null for other decisions. */
  subject: z.string().nullable(),
  /** Ed25519 over the statement of this signer, base64; null for decisions that sign nothing. */
  signature: z.string().nullable(),
  /** SHA-256 of the public key, in hex; see `GET /api/review-keys`. */
  keyId: z.string().nullable(),
  /**
   * Of approvals: `open` waits for more signatures, `counts` is one of those the version serves under, `void` does not
   * count any more. Null for other decisions.
   */
  standing: z.enum(["open", "counts", "void"]).nullable(),
  /** The tier at the time of the decision, and the state of this decision’s own signature now. */
  trust: Trust,
});
export type VersionDecision = z.infer<typeof VersionDecision>;

export const VersionSummary = VersionRef.extend({
  createdAt: IsoTime,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  active: z
    .boolean()
    .describe("Whether it is the version that serves. An approved one that does not: see `…/activate`."),
  /** What it was approved as; null while it is not. */
  class: SkillClass.nullable(),
  /** The oldest first. */
  decisions: z.array(VersionDecision),
  trust: Trust,
  /** What is new in it, as its owner says; plain text. */
  changelog: z.string().nullable(),
  /** Why its approval no longer counts and it waits for review again, as a sentence; null for all other versions. */
  returnedReason: z.string().nullable(),
});
export type VersionSummary = z.infer<typeof VersionSummary>;

/** A fact about a version that can be checked at its line. `stands-out`: worth a second look; no verdict either way. */
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
  /** A plain sentence. */
  fact: z.string(),
  /** What it is about, as written: a tool pattern, a host, a variable. */
  value: z.string(),
  tone: z.enum(["plain", "stands-out"]),
  /** Null when it follows from no single file. */
  path: z.string().nullable(),
  line: z.number().int().positive().nullable(),
});
export type CapabilityFact = z.infer<typeof CapabilityFact>;

/** In the order in which they are shown. Groups without facts are there too, so that “none” can be said. */
export const CapabilityGroup = z.object({
  group: z.enum(["tools", "load", "asks", "class", "entry", "environment", "network", "files", "credentials"]),
  title: z.string(),
  facts: z.array(CapabilityFact),
  /** Facts beyond the limit of a group, which are not listed. */
  more: z.number().int().nonnegative(),
});
export type CapabilityGroup = z.infer<typeof CapabilityGroup>;

export const FindingSeverity = z.enum(["critical", "high", "medium", "info"]);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

const Dismissal = z.object({
  by: z.object({ id: z.string(), name: z.string() }),
  at: IsoTime,
  reason: z.string(),
});

/** What a scan rule found: evidence with a place, never a verdict. Most severe first. */
export const VersionFinding = z.object({
  rule: z.string(),
  ruleVersion: z.number().int(),
  severity: FindingSeverity,
  /** The rule whose finding in the same skill makes this one weigh more; null when the severity is the rule’s own. */
  raisedBy: z.string().nullable(),
  path: z.string(),
  /** From 1, in the source file. */
  line: z.number().int(),
  column: z.number().int(),
  endLine: z.number().int().nullable(),
  /** What matched, at most 300 characters; invisible characters as `\u{…}`. */
  text: z.string(),
  why: z.string(),
  /** `source`, or the name of the decoded view the rule matched in. */
  view: z.string(),
  /** Names the finding in `…/findings/{fingerprint}/dismiss`. */
  fingerprint: z.string(),
  /** Matches of the same rule in the same file that are not listed. */
  more: z.number().int(),
  /** Found by newer rules after the version was approved. */
  isNew: z.boolean(),
  dismissed: Dismissal.nullable(),
  /** The same finding was dismissed in another version of this skill; here it is open again. */
  dismissedBefore: Dismissal.extend({ digest: z.string() }).nullable(),
});
export type VersionFinding = z.infer<typeof VersionFinding>;

/** Whether the author’s signature in the manifest is one of a known key over these files. It decides nothing by itself. */
export const AuthorSignature = z.object({
  state: z
    .enum(["unsigned", "valid", "unknown_key", "invalid"])
    .describe(
      "valid: a key of the setting authorKeys made it over all files; unknown_key: none of them did; invalid: it names one of them that did not, or is no signature.",
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
  /** Who handed it to review; null for drafts. */
  submittedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The class that will govern runs unless the reviewer chooses another. */
  proposedClass: SkillClass,
  /** Why, as the end of a sentence: “declared by its author”. */
  proposedClassReason: z.string(),
  /** What it was approved with; null while it is not. */
  grants: Grants.nullable(),
  /** The script that its approval made runnable; null when its files name an entry, or nothing of it is run. */
  entry: ScriptEntry.nullable(),
  /** The script that the serving version runs, as a proposal for this one, and what became of the file. */
  carriedEntry: z
    .object({ entry: ScriptEntry, from: VersionRef, file: z.enum(["unchanged", "changed", "gone"]) })
    .nullable(),
  /** What a decision gives that names no grants: as declared, never network. */
  declaredGrants: Grants,
  files: z.array(VersionFile),
  diagnostics: z.array(Diagnostic),
  /** Empty while the scan is pending. */
  findings: z.array(VersionFinding),
  /** `incomplete`: some part could not be looked at; a finding says which and why. */
  scan: z.object({
    state: z.enum(["complete", "incomplete", "pending"]),
    rulesVersion: z.string().nullable(),
    at: IsoTime.nullable(),
  }),
  /** What it may do, as facts with their lines; null while the scan is pending. */
  capabilities: z.array(CapabilityGroup).nullable(),
  /** Signatures of the round that is open, else of the approval that counts; needed for the highest class named so far. */
  approvals: z.object({
    given: z.number().int(),
    needed: z.number().int(),
    by: z.array(z.object({ id: z.string(), name: z.string(), at: IsoTime })),
    /** What the open round signs, which the next signer has to sign too; null before its first signature. */
    terms: z.object({ class: SkillClass, grants: Grants, entry: ScriptEntry.nullable() }).nullable(),
  }),
  /** What the caller may do now; `whyNot` says why they may not approve. */
  you: z.object({
    mayApprove: z.boolean(),
    whyNot: z.string().nullable(),
    /** They approve it as its owner, for their own use, and only what stays in the plain sandbox. */
    forOwnUse: z.boolean(),
    mayRefuse: z.boolean(),
    mayRevoke: z.boolean(),
    mayDismiss: z.boolean(),
    mayActivate: z
      .boolean()
      .describe(
        "Whether the caller may make it active. Whether its approval still suffices, the request itself answers.",
      ),
    whyNotActivate: z
      .string()
      .nullable()
      .describe("Of an approved version that is not active: why the caller may not."),
  }),
  activatable: z
    .array(VersionRef)
    .describe(
      "The skill’s approved versions that are not active, newest first, at most 20: after a revocation the choice.",
    ),
  subject: z.string().nullable(),
  signature: AuthorSignature,
  notServed: z
    .string()
    .nullable()
    .describe("Of an approved version that is run: why no worker may serve its runs now. Null when one may."),
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
  /** What the files declare and is different now: class, entry, environment, tools, schema. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Class and grants: what was decided for `against`, and what this version gets when a decision names nothing else. */
  class: z.object({ before: SkillClass, after: SkillClass, changed: z.boolean() }),
  grants: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Named here and not in `against`, with the first place of each. */
  newHosts: z.array(z.object({ host: z.string(), path: z.string(), line: z.number().int().nullable() })),
  /** Files that could be executed and are new or changed, hooks, inline commands and install steps. */
  newExecutables: z.array(
    z.object({
      path: z.string(),
      line: z.number().int().nullable(),
      /** As the end of a sentence: “is new and executable”. */
      why: z.string(),
    }),
  ),
  /** Null while one of the two versions was not scanned. */
  findings: z.object({ added: z.array(VersionFinding), removed: z.array(VersionFinding) }).nullable(),
});
export type VersionDiff = z.infer<typeof VersionDiff>;

/** A playbook as an agent gets it. */
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
