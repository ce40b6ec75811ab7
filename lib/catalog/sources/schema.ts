import { z } from "zod";
import { CatalogNote } from "@/lib/catalog/schema";
import { IsoTime, lineOfText, pageOf, withoutControls } from "@/lib/core/schema";

/** Registries: lists of skills instead of a repository. */
const REGISTRY_KINDS = ["clawhub", "index", "marketplace", "skillgate"] as const;
export type RegistryKind = (typeof REGISTRY_KINDS)[number];

/** What reads a source: the host's API and git, git alone, or the protocol of a registry. */
export const SourceKind = z.enum(["github", "git", "gitlab", "gitea", "bitbucket", "azure", ...REGISTRY_KINDS]);
export type SourceKind = z.infer<typeof SourceKind>;

export function isRegistryKind(kind: string): kind is RegistryKind {
  return REGISTRY_KINDS.some((registry) => registry === kind);
}

export const SourceState = z.enum(["idle", "queued", "running", "failed"]);

export const SyncErrorCode = z.enum([
  "address_not_allowed",
  "confirmation_needed",
  "connection",
  "empty",
  "forbidden",
  "git_missing",
  "host_key_changed",
  "integrity",
  "internal",
  "legal_block",
  "malformed_answer",
  "not_found",
  "rate_limited",
  "redirect_refused",
  "ref_not_found",
  "timeout",
  "token_refused",
  "too_large",
  "unexpected_status",
  "upstream_unavailable",
]);
export type SyncErrorCode = z.infer<typeof SyncErrorCode>;

export const SkippedFolder = CatalogNote.extend({ folder: z.string() });
export type SkippedFolder = z.infer<typeof SkippedFolder>;

/** The repository that now has the source's name, when it is not the pinned one. */
export const PendingRepository = z.object({
  id: z.string(),
  fullName: z.string().describe("owner/name"),
  reason: z.enum(["renamed", "replaced"]),
});
export type PendingRepository = z.infer<typeof PendingRepository>;

export const CatalogSource = z.object({
  id: z.string(),
  label: z.string(),
  kind: SourceKind,
  repoUrl: z.string(),
  /** The owner on GitHub; elsewhere the host and the groups. */
  owner: z.string(),
  repo: z.string(),
  ref: z.string().nullable(),
  defaultBranch: z.string().nullable(),
  /** Only skills below this folder; null for all. */
  folder: z.string().nullable(),
  enabled: z.boolean(),
  intervalMinutes: z.number().int(),
  repositoryId: z.string().nullable(),
  pendingRepository: PendingRepository.nullable(),
  isPrivate: z.boolean(),
  hasCredential: z.boolean(),
  /** `ssh-ed25519 SHA256:…`: the host keys of ssh that the first connection pinned. */
  hostKeys: z.array(z.string()),
  state: SourceState,
  jobId: z.string().nullable(),
  /** Files read and files to read in the running sync; both 0 before they are known. */
  done: z.number().int(),
  total: z.number().int(),
  /** API requests of the last sync, retries included. */
  requests: z.number().int(),
  /** Files read from the raw host in the last sync; they cost no quota. */
  rawReads: z.number().int(),
  rateLimit: z
    .object({ limit: z.number().int().nullable(), left: z.number().int(), resetAt: IsoTime.nullable() })
    .nullable(),
  commit: z.string().nullable(),
  /** Time of the last successful sync, which the catalog shows. */
  syncedAt: IsoTime.nullable(),
  /** Null while it is disabled or has a repository to confirm. */
  nextSyncAt: IsoTime.nullable(),
  failures: z.number().int(),
  error: z.string().nullable(),
  errorCode: SyncErrorCode.nullable(),
  skipped: z.array(SkippedFolder).describe("All for a single source; the first 500 in a list of sources."),
  skippedCount: z.number().int(),
  counts: z.object({
    entries: z.number().int(),
    removed: z.number().int(),
    blocked: z.number().int(),
    packs: z.number().int(),
    installed: z.number().int(),
  }),
  webUrl: z.string(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type CatalogSource = z.infer<typeof CatalogSource>;

export const CatalogSourcePage = pageOf(CatalogSource);

const Label = lineOfText(80);
const RepoUrl = withoutControls
  .trim()
  .min(1)
  .max(500)
  .describe(
    "<owner>/<repository> on GitHub; an address https://… of any git host, optionally of a folder’s page; ssh://… or git@host:group/repository.git; or a line `npx skills add …`",
  );
const Ref = withoutControls
  .trim()
  .max(200)
  .transform((ref) => (ref === "" ? null : ref))
  .describe("branch, tag or sha; null, empty or left out for the default branch");
const Folder = withoutControls.trim().max(500).describe("only skills below this folder");
const Kind = SourceKind.nullish().describe("what reads the source; null or left out: what follows from the address");
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\s]+$/u, "must have no spaces");

/** A token, with the user name that some hosts ask for; or a private key of ssh in PEM. */
export const CredentialInput = z.union([
  z.strictObject({
    token: line(4_096),
    username: line(200)
      .regex(/^[^:]+$/, "must have no colon")
      .nullish(),
  }),
  z.strictObject({
    privateKey: z
      .string()
      .trim()
      .max(16_384)
      .regex(
        /^-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+-----END [A-Z ]*PRIVATE KEY-----$/,
        "must be a private key in PEM",
      ),
  }),
]);
export type CredentialInput = z.infer<typeof CredentialInput>;

export const SourceCredential = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("token"), token: z.string(), username: z.string().nullable() }),
  z.object({ kind: z.literal("key"), privateKey: z.string() }),
]);
export type SourceCredential = z.infer<typeof SourceCredential>;

export const CredentialStatus = z.object({
  isSet: z.boolean(),
  setAt: IsoTime.nullable(),
  setBy: z.string().nullable(),
});
export type CredentialStatus = z.infer<typeof CredentialStatus>;

/** Where the host of a source may report changes. */
export const Webhook = z.object({
  isSet: z.boolean(),
  url: z.string(),
  setAt: IsoTime.nullable(),
  setBy: z.string().nullable(),
});
export type Webhook = z.infer<typeof Webhook>;
export const NewWebhook = Webhook.extend({ secret: z.string() });
export type NewWebhook = z.infer<typeof NewWebhook>;

const IntervalMinutes = z
  .number()
  .int()
  .min(5)
  .max(7 * 24 * 60)
  .describe("minutes between syncs");

export const CreateSourceInput = z.strictObject({
  label: Label,
  kind: Kind,
  repoUrl: RepoUrl,
  ref: Ref.nullish(),
  folder: Folder.nullish(),
  credential: CredentialInput.nullish().describe("of this source; GitHub has one token for all"),
  enabled: z.boolean().default(true),
  intervalMinutes: IntervalMinutes.default(360),
  sync: z.boolean().default(false).describe("queue the first sync at once"),
});
export type CreateSourceInput = z.infer<typeof CreateSourceInput>;

/** Omitted fields keep their values. */
export const UpdateSourceInput = z
  .strictObject({
    label: Label,
    kind: Kind,
    repoUrl: RepoUrl,
    ref: Ref.nullable(),
    folder: Folder.nullable(),
    enabled: z.boolean(),
    intervalMinutes: IntervalMinutes,
    hostKeys: z.null().describe("null forgets the pinned host keys: the next connection pins what the host shows"),
  })
  .partial();
export type UpdateSourceInput = z.infer<typeof UpdateSourceInput>;

export const PreviewSourceInput = z.strictObject({
  kind: Kind,
  repoUrl: RepoUrl,
  ref: Ref.nullish(),
  folder: Folder.nullish(),
  credential: CredentialInput.nullish(),
});
export type PreviewSourceInput = z.infer<typeof PreviewSourceInput>;

export const SourcePreview = z.object({
  kind: SourceKind,
  owner: z.string(),
  repo: z.string(),
  ref: z.string(),
  folder: z.string().nullable(),
  repositoryId: z.string(),
  isPrivate: z.boolean(),
  commit: z.string(),
  /** GitHub truncated the file list; a sync reads each folder and may find more. */
  truncated: z.boolean(),
  total: z.number().int(),
  /** The first 500. */
  skills: z.array(
    z.object({
      folder: z.string(),
      name: z.string().describe("of the folder"),
      files: z.number().int(),
      bytes: z.number().int(),
      hasScripts: z.boolean(),
    }),
  ),
  declares: z.array(z.string()),
  skipped: z.array(SkippedFolder).describe("The first 500."),
  skippedCount: z.number().int(),
  requests: z.number().int(),
});
export type SourcePreview = z.infer<typeof SourcePreview>;

export const SyncAnswer = z.object({ jobId: z.string() });
export type SyncAnswer = z.infer<typeof SyncAnswer>;

export const ConfirmRepositoryInput = z.strictObject({ repositoryId: z.string().regex(/^[\w{}-]{1,60}$/) });
export type ConfirmRepositoryInput = z.infer<typeof ConfirmRepositoryInput>;

export const GitHubTokenInput = z.strictObject({
  token: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{20,255}$/, "must be a GitHub token: 20 to 255 letters, digits, _, . or -"),
});
export type GitHubTokenInput = z.infer<typeof GitHubTokenInput>;

export const GitHubTokenStatus = z.object({
  isSet: z.boolean(),
  setAt: IsoTime.nullable(),
  setBy: z.string().nullable(),
});
export type GitHubTokenStatus = z.infer<typeof GitHubTokenStatus>;

export const SourceParams = z.object({ id: z.string() });
