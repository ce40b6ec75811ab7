import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { isAgentText } from "@/lib/skill-format/archive/decode-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";

import { assertStepsAllowed } from "@/lib/skills/pipeline/refused-pipelines";
import { requireVersion } from "@/lib/skills/version-access";
import { assertAgentMayRead, isWithheld } from "./agent-file-access";
import { readBlob } from "./read-blob";

export type StoredFile = {
  path: string;
  mode: string;
  sha256: string;
  isText: boolean;
  bytes: Uint8Array<ArrayBuffer>;
};

/**
 * The stored bytes of one file of a version, checked against their hash (`version_tampered`). An agent gets nothing of a version
 * that is not approved (`not_approved`), no script that its reviewer has not granted (`forbidden`), and no binary or text over 256 KiB (`too_large`), which would only fill its context.
 */
export async function getVersionFile(ctx: Ctx, idOrName: string, digest: string, path: string): Promise<StoredFile> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const file = version.files.find((candidate) => candidate.path === path);
  if (!file)
    throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} of “${skill.name}” has no file ${path}.`);
  await assertStepsAllowed(ctx, skill);
  assertAgentMayRead(ctx.actor, skill, version);
  if (isWithheld(ctx.actor, version, file)) {
    throw new AppError(
      "forbidden",
      `${path} is a script, and no reviewer has granted the scripts of “${skill.name}” to agents.`,
    );
  }
  const { path: filePath, mode, sha256, isText } = file;
  const bytes = await readBlob(ctx, file);
  if (isAgent(ctx.actor) && !isAgentText(bytes)) {
    throw new AppError(
      "too_large",
      `${path} is ${isText ? `${bytes.length} bytes long; agents read text up to ${MAX_AGENT_TEXT_BYTES} bytes` : "no text; agents read text only"}.`,
    );
  }
  return { path: filePath, mode, sha256, isText, bytes };
}
