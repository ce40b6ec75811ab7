import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { isText } from "@/lib/skill-format/archive/is-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";
import { isWithheld, UNJUDGED } from "@/lib/skills/versions/is-withheld";
import { readEntryFiles } from "../read-files";
import { CatalogFile, type CatalogFileContent } from "../schema";
import { requireEntry, shownCatalog } from "./require-entry";

/**
 * One file of an entry before it is installed, by its path in the entry's folder. Read from the raw host at the pinned
 * commit unless a sync has read it; of a link, what it points at as git stores it. An agent reads no scripts (`forbidden`):
 * nobody has granted those.
 */
export async function getEntryFile(ctx: Ctx, id: string, path: string): Promise<CatalogFileContent> {
  const { entry, source } = await requireEntry(ctx, await shownCatalog(ctx), id);
  const file = parseJsonColumn(z.array(CatalogFile), entry.files).find((candidate) => candidate.path === path);
  if (!file) throw new AppError("not_found", `“${entry.name}” has no file ${path}.`);
  if (isWithheld(ctx.actor, UNJUDGED, file)) {
    throw new AppError("forbidden", `${path} is a script of a skill that is not installed; agents are not given it.`);
  }
  if (file.kind === "submodule" || file.size > MAX_AGENT_TEXT_BYTES) return { ...file, text: null };
  const { owner, repo, isPrivate } = source;
  const place = { owner, repo, isPrivate, commit: entry.commit, folder: entry.folder };
  const bytes = (await readEntryFiles(ctx, place, [file])).get(file.sha);
  return { ...file, text: bytes && isText(bytes) ? new TextDecoder().decode(bytes) : null };
}
