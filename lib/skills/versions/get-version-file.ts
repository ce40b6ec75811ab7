import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { isAgentText } from "@/lib/skill-format/archive/decode-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";

import { assertStepsAllowed } from "@/lib/skills/pipeline/plan-pipeline";
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
 * The bytes of a version's file, with a checked hash (`version_tampered`). Agents get only files of approved versions
 * (`not_approved`), no ungranted scripts (`forbidden`), and, for their model's context, no binaries or texts over 256 KiB
 * (`too_large`).
 */
export async function getVersionFile(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  path: string,
  { isForModel = true }: { isForModel?: boolean } = {},
): Promise<StoredFile> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const file = version.files.find((candidate) => candidate.path === path);
  if (!file)
    throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} of “${skill.name}” has no file ${path}.`);
  await assertStepsAllowed(ctx, skill);
  assertAgentMayRead(ctx.actor, skill, version);
  if (isWithheld(ctx.actor, version, file)) {
    throw new AppError(
      "forbidden",
      `Agents cannot read ${path}: it is a script, and no reviewer granted agents the scripts of “${skill.name}”.`,
    );
  }
  const { path: filePath, mode, sha256, isText } = file;
  const bytes = await readBlob(ctx, file);
  if (isForModel && isAgent(ctx.actor) && !isAgentText(bytes)) {
    throw new AppError(
      "too_large",
      isText
        ? `${path} has ${bytes.length} bytes; agents can read text up to ${MAX_AGENT_TEXT_BYTES} bytes.`
        : `${path} is not text; agents can read only text.`,
    );
  }
  return { path: filePath, mode, sha256, isText, bytes };
}
