import { readFile, stat } from "node:fs/promises";
import { getEnv } from "@/lib/core/env";
import { AppError, type FieldError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import type { Finding } from "@/lib/db/generated/client";
import { getSettings } from "@/lib/settings/settings";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { settledVersion, settles } from "@/lib/skills/versions/present-findings";
import { readVersionFiles, recordTampering } from "@/lib/skills/versions/read-blob";
import { scanVersion } from "./scan-version";

/** Every character that a hidden-text rule could report. Only the scan decides whether it does. */
const MAY_BE_HIDDEN = /\p{Cf}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/u;

/**
 * Runs before a signature: checks that the stored bytes match the digest (`not_approved` with an audit event otherwise)
 * and scans text that may hide something, so that an approval without a comment cannot precede the first scan.
 */
export async function inspectBeforeApproval(
  ctx: Ctx,
  { skill, version }: { skill: SkillRow; version: VersionRow },
  comment: string,
): Promise<void> {
  const files = await readVerifiedFiles(ctx, { skill, version }, "approved");
  if (comment !== "" || !files.some(({ bytes }) => MAY_BE_HIDDEN.test(new TextDecoder().decode(bytes)))) return;
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id }, select: { versionId: true } });
  if (scan === null) await scanVersion(ctx, version.id);
}

/** The files, if the stored bytes match the digest; else throws `not_approved` and records an event. */
export async function readVerifiedFiles(
  ctx: Ctx,
  { skill, version }: { skill: SkillRow; version: VersionRow },
  become: "approved" | "active",
): Promise<SkillFile[]> {
  const isWhole =
    digestFiles(version.files.map((file) => ({ ...file, mode: file.mode as "644" | "755" }))) === version.digest;
  const problem = "its stored files do not match its digest";
  try {
    if (isWhole) return await readVersionFiles(ctx, version);
    await recordTampering(ctx, { skill, versionDigest: version.digest, problem });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "version_tampered") throw error;
  }
  throw new AppError(
    "not_approved",
    `Version ${version.digest.slice(0, 7)} cannot be ${become === "active" ? "activated" : become}: ${problem}.`,
  );
}

/** Rules for invisible characters: tags, direction controls, zero width, variation selectors. */
const HIDDEN_TEXT_RULES = ["HID-001", "HID-002", "HID-003", "HID-004"];

type Explained = Pick<VersionRow, "id" | "createdById" | "submittedById">;

/** Throws `invalid` when hidden characters are explained neither by a comment nor by a dismissal. */
export async function assertHiddenTextExplained(ctx: Ctx, version: Explained, comment: string): Promise<void> {
  const open = await findUnexplainedText(ctx, version, comment);
  if (open === null) return;
  throw new AppError(
    "invalid",
    `${open.path} has hidden characters in line ${open.line}. Explain in the comment why you approve them (${open.rule}).`,
    { errors: [{ path: "comment", message: "Enter a comment: the version has hidden characters" }] },
  );
}

/** The first finding of hidden characters that neither the comment nor a dismissal explains. */
export async function findUnexplainedText(ctx: Ctx, version: Explained, comment: string): Promise<Finding | null> {
  if (/[\p{L}\p{N}]/u.test(comment)) return null;
  const found = await ctx.db.finding.findMany({
    where: { versionId: version.id, rule: { in: HIDDEN_TEXT_RULES } },
    orderBy: { position: "asc" },
  });
  const dismissed = await ctx.db.findingDismissal.findMany({
    where: { versionId: version.id },
    include: { version: { select: { skill: { select: { ownerKey: true } } } } },
  });
  const [any] = dismissed;
  if (any === undefined) return found[0] ?? null;
  const settled = settledVersion(any.version.skill, version, await getSettings(ctx));
  return found.find((finding) => !dismissed.some((row) => settles(row, finding, settled, ctx.now()))) ?? null;
}

type Read = { digest: string; manifest: string };

/** The places where the version's argument schema is not valid JSON Schema. */
export function schemaErrors({ manifest }: Pick<Read, "manifest">): FieldError[] {
  return schemaErrorsAt("schema", keepParsed(SkillManifest, manifest).schema);
}

/** Throws `schema_invalid` for an invalid schema. Imports refuse such files; older releases stored them. */
export function assertSchemaValid({ digest, manifest }: Read): void {
  const errors = schemaErrors({ manifest });
  const [first] = errors;
  if (first === undefined) return;
  const what = `its schema is invalid. ${first.path}: ${first.message}`;
  const message = `Version ${digest.slice(0, 7)} cannot be approved: ${what} Correct the schema and import the skill again.`;
  throw new AppError("schema_invalid", message, { errors });
}

const MAX_BYTES = 1024 * 1024;

type Loaded = { fingerprint: string; digests: ReadonlySet<string> };
const NONE: Loaded = { fingerprint: "", digests: new Set() };

/** The digests in the file `SKILLGATE_TRUSTED_DIGESTS`, one per line; `#` begins a comment. Reread on change. */
export async function trustedDigests(): Promise<ReadonlySet<string>> {
  const file = getEnv().SKILLGATE_TRUSTED_DIGESTS;
  if (file === undefined) return NONE.digests;
  const store = processStore("trusted-digests", () => ({ loaded: NONE }));
  try {
    const { mtimeMs, size, ino } = await stat(file);
    const fingerprint = [file, mtimeMs, size, ino].join(" ");
    if (fingerprint === store.loaded.fingerprint) return store.loaded.digests;
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    store.loaded = { fingerprint, digests: new Set(parseDigests(await readFile(file, "utf8"))) };
  } catch (error) {
    const fingerprint = `${file}: ${error instanceof Error ? error.message : String(error)}`;
    if (fingerprint !== store.loaded.fingerprint)
      logger.warn(`The file of trusted digests cannot be read: ${fingerprint}`);
    store.loaded = { fingerprint, digests: NONE.digests };
  }
  return store.loaded.digests;
}

function parseDigests(text: string): string[] {
  const words = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/)[0] ?? "");
  return words.map((word) => word.replace(/^sha256:/i, "").toLowerCase()).filter((word) => /^[0-9a-f]{64}$/.test(word));
}
