import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { type Actor, isAgent, isPerson, Role } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { declaredGrants, runTimeLimit } from "@/lib/policy/grants/settle-grants";
import { ownerIdOf } from "@/lib/policy/ownership";
import { proposeClass } from "@/lib/policy/propose-class";
import { hasScope, seesAll } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/settings";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";

import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { Diagnostic, FileMode, JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { whyNotServed } from "@/lib/skills/access/worker-allowances";
import { judgeActivator, listActivatable } from "@/lib/skills/approval/activation-rights";
import {
  authorsOf,
  countSignatures,
  judgeApprover,
  mayApprove,
  openApprovals,
  selfReviewers,
} from "@/lib/skills/approval/approval-round";
import { EMPTY_HISTORY, readActivationHistories } from "@/lib/skills/approval/check-servable";
import type { SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { presentVersionSummary } from "./list-versions";
import { readEntry, readGrants } from "./present-decisions";
import { presentFindings } from "./present-findings";
import { readVerifiedBytes } from "./read-blob";
import { type AuthorSignature, CapabilityGroup, type Version, VersionState } from "./schema";

/** First line of the signed text, see docs/reviewers.md; the digest of the files follows. */
const FIRST_LINE = "skillgate-author-signature-1";

/** `<base64 of 64 bytes>`, optionally preceded by the key's name and a colon. */
const FORM = /^(?:([A-Za-z0-9._@-]{1,40}):)?([A-Za-z0-9+/]{86}==)$/;

type SignedFile = { path: string; mode: "644" | "755"; sha256: string };

/** One version with all data for a review: manifest, files, findings, capabilities, decisions. */
export async function getVersion(ctx: Ctx, idOrName: string, digest: string): Promise<Version> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  return presentVersion(ctx, skill, version);
}

export async function presentVersion(ctx: Ctx, skill: SkillRow, row: VersionRow): Promise<Version> {
  const manifest = parseJsonColumn(SkillManifest, row.manifest);
  const proposal = proposeClass(manifest, row.files);
  const settings = await getSettings(ctx);
  const grants = readGrants(row.grants);
  const order = (await readActivationHistories(ctx, [skill.id])).get(skill.id) ?? EMPTY_HISTORY;
  const files = row.files.map(({ path, mode, sha256, size, isText }) => ({
    ...{ path, mode: FileMode.parse(mode), sha256, size, isText },
  }));
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: row.id } });
  return {
    ...(await presentVersionSummary(ctx, skill, row, order)),
    skillId: row.skillId,
    manifest,
    provenance: parseJsonColumn(JsonObject, row.provenance),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    submittedBy: row.submittedAt === null ? null : submitterOf(row),
    proposedClass: proposal.class,
    proposedClassReason: proposal.reason,
    grants,
    declaredGrants: declaredGrants(manifest),
    timeLimitSeconds: runTimeLimit(grants ?? declaredGrants(manifest), settings),
    maxTimeLimitSeconds: settings.maxTimeoutSeconds,
    entry: readEntry(row.entry),
    carriedEntry: await carriedEntry(ctx, skill, row),
    files,
    diagnostics: parseJsonColumn(z.array(Diagnostic), row.diagnostics),
    signature: await checkAuthorSignature(ctx, manifest, files, settings.authorKeys),
    findings: await presentFindings(ctx, row),
    scan: {
      state: scan === null ? "pending" : scan.complete ? "complete" : "incomplete",
      rulesVersion: scan?.rulesVersion ?? null,
      at: scan?.scannedAt.toISOString() ?? null,
    },
    capabilities: scan === null ? null : parseJsonColumn(z.array(CapabilityGroup), scan.capabilities),
    approvals: { ...presentApprovals(row, settings), maySign: await signersOf(ctx, skill, row, settings) },
    you: whatCallerMay(ctx.actor, skill, row, settings),
    activatable: await listActivatable(ctx, skill),
    subject: row.subject,
    notServed: row.state === "approved" ? await whyNotServed(ctx, skill, row) : null,
  };
}

export function submitterOf(row: {
  createdById: string;
  createdByName: string;
  submittedById: string | null;
  submittedByName: string | null;
}): { id: string; name: string } {
  return { id: row.submittedById ?? row.createdById, name: row.submittedByName ?? row.createdByName };
}

const MAX_SIGNERS = 20;

/** Who may give a missing approval; null without an open round, and for people whom the version does not concern. */
async function signersOf(ctx: Ctx, skill: SkillRow, row: VersionRow, policy: SigningPolicy) {
  const { actor } = ctx;
  const ownerId = ownerIdOf(skill.ownerKey);
  if (!isPerson(actor) || (row.state !== "pending" && openApprovals(row).length === 0)) return null;
  const isConcerned = [ownerId, ...authorsOf(row)].includes(actor.userId) && !isAgent(actor);
  if (!isConcerned && !seesAll(actor)) return null;
  const people = await ctx.db.user.findMany({
    where: { state: "active", OR: [{ role: { not: "user" } }, { id: ownerId ?? "" }] },
    orderBy: { name: "asc" },
    select: { id: true, name: true, role: true },
  });
  return people
    .filter(({ id, role }) => mayApprove({ id, role: Role.parse(role) }, skill, row, policy))
    .slice(0, MAX_SIGNERS)
    .map(({ id, name }) => ({ id, name }));
}

type Approvals = Omit<Version["approvals"], "maySign">;

function presentApprovals(row: VersionRow, policy: Parameters<typeof countSignatures>[1]): Approvals {
  const { approvals, needed } = countSignatures(row, policy);
  const [first] = openApprovals(row);
  const grants = readGrants(first?.grants ?? null);
  return {
    given: approvals.length,
    needed,
    by: approvals.map(({ actorId, actorName, createdAt }) => ({
      id: actorId,
      name: actorName,
      at: createdAt.toISOString(),
    })),
    terms: first && grants ? { class: SkillClass.parse(first.class), grants, entry: readEntry(first.entry) } : null,
  };
}

/** The script that the active version runs, as a proposal for another version, and whether that file changed. */
async function carriedEntry(ctx: Ctx, skill: SkillRow, version: VersionRow): Promise<Version["carriedEntry"]> {
  const serving = skill.current;
  const entry = readEntry(serving?.entry ?? null);
  if (serving === null || entry === null || serving.id === version.id) return null;
  const before = await ctx.db.versionFile.findUnique({
    where: { versionId_path: { versionId: serving.id, path: entry.path } },
  });
  const now = version.files.find(({ path }) => path === entry.path);
  const from = { digest: serving.digest, number: serving.number, state: VersionState.parse(serving.state) };
  const file = now === undefined ? "gone" : now.sha256 === before?.sha256 ? "unchanged" : "changed";
  return { entry, from, file };
}

/** What the caller may do with a version. An approved version can be approved again with other terms. */
function whatCallerMay(
  actor: Actor,
  skill: { ownerKey: string; visibility: string; currentId: string | null },
  version: VersionRow,
  policy: SigningPolicy,
): Version["you"] {
  const nothing = { mayApprove: false, forOwnUse: false, mayRefuse: false, mayRevoke: false };
  const noFindings = { mayDismiss: false, mayReopen: false };
  const noActivation = { mayActivate: false, whyNotActivate: null };
  const whyNotPerson = "Only people can decide on versions.";
  if (!isPerson(actor)) return { ...nothing, ...noFindings, ...noActivation, whyNot: whyNotPerson };
  const mayReview = hasScope(actor, "review");
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  const isDecidable = version.state === "pending" || version.state === "approved";
  const judged = !hasScope(actor, "write")
    ? { whyNot: "Your token lacks the scope “write”." }
    : isDecidable
      ? judgeApprover(actor, skill, version, policy)
      : { whyNot: `The version is ${version.state.replace("_", " ")}; only pending versions can be approved.` };
  const hasRound = version.state === "pending" || openApprovals(version).length > 0;
  return {
    mayApprove: "right" in judged,
    whyNot: "right" in judged ? null : judged.whyNot,
    forOwnUse: "right" in judged && judged.right === "own",
    mayRefuse: mayReview && isDecidable && hasRound,
    mayRevoke: (mayReview || isOwner) && version.state === "approved",
    mayDismiss: mayReview && !selfReviewers(skill, version, policy).has(actor.userId),
    mayReopen: mayReview,
    ...(version.state === "approved" && skill.currentId !== version.id
      ? whetherToActivate(actor, skill, version, policy)
      : noActivation),
  };
}

function whetherToActivate(...[actor, skill, version, policy]: Parameters<typeof judgeActivator>) {
  const isConcerned = hasScope(actor, "review") || ownerIdOf(skill.ownerKey) === actor.userId;
  if (!isConcerned) return { mayActivate: false, whyNotActivate: "Only its owner or a reviewer may activate it." };
  if (!hasScope(actor, "write")) return { mayActivate: false, whyNotActivate: "Your token lacks the scope “write”." };
  const judged = judgeActivator(actor, skill, version, policy);
  return "right" in judged
    ? { mayActivate: true, whyNotActivate: null }
    : { mayActivate: false, whyNotActivate: judged.whyNot };
}

/** Verifies the author's Ed25519 signature (RFC 8032) with the keys of the setting `authorKeys`; information only. */
async function checkAuthorSignature(
  ctx: Pick<Ctx, "db">,
  { signature }: Pick<SkillManifest, "signature">,
  files: readonly SignedFile[],
  authorKeys: string,
): Promise<AuthorSignature> {
  if (signature === null) return { state: "unsigned", key: null, message: "Not signed by its author" };
  const [, name, encoded] = FORM.exec(signature.trim()) ?? [];
  if (encoded === undefined) return invalid(null, "The signature is not an Ed25519 signature in base64.");
  const message = await signedText(ctx, signature, files);
  if (message === null) {
    return invalid(name ?? null, "The signature does not occur exactly once in the skill’s manifest files.");
  }
  const keys = readKeys(authorKeys);
  const named = keys.filter((key) => name === undefined || key.name === name);
  const bytes = Buffer.from(encoded, "base64");
  const found = named.find(({ key }) => verify(null, message, key, bytes));
  if (found) return { state: "valid", key: found.name, message: `Signed with the key “${found.name}”.` };
  if (name !== undefined && named.length > 0) {
    return invalid(name, `The key “${name}” did not make the signature, or the files were changed later.`);
  }
  const what =
    name === undefined
      ? "No key in the setting “Author keys” made the signature, or the files were changed later."
      : `The setting “Author keys” has no key “${name}”.`;
  return { state: "unknown_key", key: null, message: what };
}

function invalid(key: string | null, message: string): AuthorSignature {
  return { state: "invalid", key, message };
}

/** The signed bytes; null when the signature does not occur exactly once in the files that hold a manifest. */
async function signedText(
  ctx: Pick<Ctx, "db">,
  signature: string,
  files: readonly SignedFile[],
): Promise<Uint8Array | null> {
  const places: { path: string; sha256: string }[] = [];
  for (const { path, sha256 } of files.filter((file) => !file.path.includes("/") && isSkillMarker(file.path))) {
    const bytes = await readVerifiedBytes(ctx, sha256);
    if (bytes === null) return null;
    const parts = Buffer.from(bytes).toString("latin1").split(signature);
    const without = sha256Hex(Buffer.from(parts.join(""), "latin1"));
    for (let count = 1; count < parts.length; count += 1) places.push({ path, sha256: without });
  }
  const [place, more] = places;
  if (place === undefined || more !== undefined) return null;
  const digest = digestFiles(
    files.map((file) => (file.path === place.path ? { ...file, sha256: place.sha256 } : file)),
  );
  return Buffer.from(`${FIRST_LINE}\n${digest}\n`);
}

function readKeys(authorKeys: string) {
  return authorKeys.split(",").flatMap((entry) => {
    const [, name, encoded] = /^([^=]+)=(.+)$/.exec(entry.trim()) ?? [];
    if (name === undefined || encoded === undefined) return [];
    const x = Buffer.from(encoded, "base64").toString("base64url");
    return [{ name, key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }) }];
  });
}
