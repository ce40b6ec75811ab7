import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inQuickTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { isAgentText } from "@/lib/skill-format/archive/decode-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { isScript } from "@/lib/skill-format/executables";
import { requireVersion } from "@/lib/skills/version-access";
import { onlyPeopleStart } from "@/lib/skills/versions/get-instructions";
import { getVersionFile, type StoredFile } from "@/lib/skills/versions/get-version-file";
import { readGrants } from "@/lib/skills/versions/present-decisions";

import type { ReadSkillFileInput } from "./built-in-tools";
import type { OfferOptions } from "./offers/offered-skills";
import { requireOffered } from "./offers/require-offered";
import { splitReadPath } from "./read-path";
import type { ToolAnswer } from "./schema";
import { recordRead } from "./sessions/record-step";
import { mayModelRead } from "./sessions/session-limits";

/**
 * The exact text of one file of an offered skill, at most 256 KiB; scripts only when a reviewer granted them. Throws as
 * `readWholeFile`, and `too_large`.
 */
export async function readSkillFile(
  ctx: Ctx,
  session: AgentSession,
  input: ReadSkillFileInput,
  to: OfferOptions,
): Promise<ToolAnswer> {
  const { skill, digest, path, sha256, bytes } = await openFile(ctx, session, input, { to, isForModel: true });
  const structured = { name: skill, path, sha256, bytes: bytes.length, digest };
  return { content: EXACT.decode(bytes), notes: [], structured, isError: false };
}

/**
 * The bytes of one file of an offered skill, also of a binary or a long text, for a client that keeps files outside the model's
 * context; scripts only when a reviewer granted them. The path is compared with stored paths only, so files outside the
 * folder cannot be read. Files of a skill that only people start can be read after a person started it in the session. Throws
 * `not_approved`, `forbidden` or `not_found`.
 */
export async function readWholeFile(
  ctx: Ctx,
  session: AgentSession,
  input: ReadSkillFileInput,
  to: OfferOptions,
): Promise<StoredFile> {
  return openFile(ctx, session, input, { to, isForModel: false });
}

async function openFile(
  ctx: Ctx,
  session: AgentSession,
  input: ReadSkillFileInput,
  { to, isForModel }: { to: OfferOptions; isForModel: boolean },
): Promise<StoredFile & { skill: string; digest: string }> {
  const split = splitReadPath(input.path);
  if (input.name === undefined && split.inside === "") {
    throw new AppError("invalid", "Name the skill: give its name, or a read_path as listed.");
  }
  const name = input.name ?? split.name;
  const inside = input.name === undefined ? split.inside : input.path;
  if (isClimbing(inside)) {
    throw new AppError("invalid", `“${input.path}” is not a path inside a skill’s folder.`, {
      errors: [{ path: "path", message: "must be a path inside the folder, without .. and not absolute" }],
    });
  }
  const skill = await requireOffered(ctx, name, to);
  const digest = input.digest ?? skill.digest;
  const { version } = await requireVersion(ctx, skill.id, digest);
  if (version.state !== "approved") {
    throw new AppError(
      "not_approved",
      `Version ${version.digest.slice(0, 7)} of “${skill.name}” is not approved; agents read approved versions only.`,
    );
  }
  if (!(await mayModelRead(ctx, session.id, { ...skill, digest: version.digest }))) throw onlyPeopleStart(skill);
  // A read_path begins with the skill's name even when the caller also gives the name.
  const shortened = split.name === skill.slug || split.name === skill.name ? split.inside : null;
  const isStored = (path: string) => version.files.some((file) => file.path === path);
  const path = shortened !== null && !isStored(inside) ? shortened : inside;
  const file = await getVersionFile(ctx, skill.id, version.digest, path, { isForModel });
  assertGranted(file, { skill: skill.name, mayScripts: readGrants(version.grants)?.scripts === true });
  if (isForModel) assertText(file);
  await inQuickTransaction(ctx, async (tx, txCtx) => {
    await recordRead(tx, txCtx, session, {
      ...{ kind: "read", tool: "read_skill_file", args: input },
      ...{ skillId: skill.id, versionDigest: version.digest },
      detail: `read ${file.path} of ${skill.name}`,
    });
  });
  return { ...file, skill: skill.name, digest: version.digest };
}

/** Keeps a byte order mark. */
const EXACT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isClimbing(path: string): boolean {
  return path.startsWith("/") || /[\\\0]/.test(path) || path.split("/").some((part) => part === ".." || part === "");
}

/** Applies to people's tokens, too, since the file ends up with an agent. */
function assertGranted(file: StoredFile, { skill, mayScripts }: { skill: string; mayScripts: boolean }): void {
  if (!isScript(file) || isSkillMarker(file.path) || mayScripts) return;
  throw new AppError(
    "forbidden",
    `${file.path} is a script, and no reviewer has granted the scripts of “${skill}” to agents.`,
    { rule: "scripts" },
  );
}

/** Other files would fill the model's context. */
function assertText(file: StoredFile): void {
  if (isAgentText(file.bytes)) return;
  throw new AppError(
    "too_large",
    `${file.path} is ${file.isText ? `${file.bytes.length} bytes long; agents read text up to ${MAX_AGENT_TEXT_BYTES} bytes` : "not text; agents read text only"}.`,
  );
}
