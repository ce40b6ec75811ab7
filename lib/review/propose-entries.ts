import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { proposeEntry } from "@/lib/skill-format/entry/propose-entry";
import { scriptInterpreter } from "@/lib/skill-format/entry/script-entry";
import { isScript } from "@/lib/skill-format/executables";
import { isPipeline } from "@/lib/skill-format/schema";
import { servedManifest } from "@/lib/skills/approval/served-manifest";
import { requireVersion } from "@/lib/skills/version-access";
import { readBlob } from "@/lib/skills/versions/read-blob";

import type { EntryProposalList } from "./schema";

const MAX_SCRIPTS = 50;
const MAX_SCRIPT_BYTES = 1024 * 1024;

/** Proposes how to call up to 50 scripts of up to 1 MiB. Empty for pipelines and declared entries. */
export async function proposeEntries(ctx: Ctx, idOrName: string, digest: string): Promise<EntryProposalList> {
  requireScope(ctx.actor, "read");
  const { version } = await requireVersion(ctx, idOrName, digest);
  const manifest = servedManifest({ manifest: version.manifest, entry: null });
  if (manifest.entry !== null || isPipeline(manifest)) return { items: [], nextCursor: null };
  const scripts = version.files.filter((file) => isScript(file) && file.isText && file.size <= MAX_SCRIPT_BYTES);
  const items: EntryProposalList["items"] = [];
  for (const file of scripts.slice(0, MAX_SCRIPTS)) {
    const { path } = file;
    const bytes = await readBlob(ctx, file);
    const firstLine = Buffer.from(bytes.subarray(0, 256)).toString("latin1").split("\n", 1)[0] ?? "";
    const proposal = proposeEntry(path, new TextDecoder().decode(bytes));
    items.push({ ...proposal, interpreter: scriptInterpreter(path, firstLine) });
  }
  return { items, nextCursor: null };
}
