import { AppError, type FieldError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { checkScriptEntry } from "@/lib/skill-format/check-script-entry";
import { isPipeline } from "@/lib/skill-format/pipeline/is-pipeline";
import type { ScriptEntry } from "@/lib/skill-format/script-entry";
import { readBlob } from "@/lib/skills/read-blob";
import { servedManifest } from "@/lib/skills/served-manifest";
import type { VersionRow } from "@/lib/skills/version-access";

const FIRST_BYTES = 256;

/**
 * Throws `invalid` with each place when this script of a version cannot be its entry: its files name one, it is not among
 * them, nothing says what starts it, or the call and the schema do not go together.
 */
export async function assertEntryFits(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<void> {
  const errors = await findErrors(ctx, version, entry);
  const [first] = errors;
  if (first === undefined) return;
  const message = `This script cannot be made runnable so: ${first.path} ${first.message}.`;
  throw new AppError("invalid", message, { errors });
}

async function findErrors(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<FieldError[]> {
  const manifest = servedManifest({ manifest: version.manifest, entry: null });
  const declared = manifest.entry;
  if (isPipeline(manifest)) return [{ path: "entry", message: "is not open: it is a pipeline" }];
  if (declared !== null) return [{ path: "entry", message: `is not open: its files name the entry ${declared}` }];
  const file = version.files.find(({ path }) => path === entry.path);
  if (file === undefined) return [{ path: "entry.path", message: "is not among its files" }];
  const bytes = await readBlob(ctx, file);
  const firstLine = Buffer.from(bytes.subarray(0, FIRST_BYTES)).toString("latin1").split("\n", 1)[0] ?? "";
  return checkScriptEntry(entry, firstLine);
}
