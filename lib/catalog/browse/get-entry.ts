import { LRUCache } from "lru-cache";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry } from "@/lib/db/generated/client";
import { rulesVersion } from "@/lib/review/rules/all-rules";
import { scanFiles } from "@/lib/review/scan/scan-files";
import { isText } from "@/lib/skill-format/archive/decode-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { dependencyNames } from "@/lib/skill-format/manifest/skill-names";
import { Diagnostic } from "@/lib/skill-format/schema";
import { isWithheld, UNREVIEWED } from "@/lib/skills/versions/agent-file-access";
import { entryOrigin, entryWebUrl } from "../entry-origin";
import { loadBlobs, readEntryFiles } from "../read-files";
import { type CatalogDetail, CatalogFile, type CatalogFileContent, OperatorIndexEntry } from "../schema";
import { readEntry } from "../sync/index-skill";
import { copiesOf, presentItems } from "./present-items";
import { requireEntry, type VisibleCatalog, visibleCatalog } from "./visible-catalog";

type EntryFindings = { findings: CatalogDetail["findings"]; notes: Diagnostic[] };

const MAX_WAIT_MS = 4_000;
const CACHE_SIZE = 300;

const NOT_SCANNED: Diagnostic = {
  code: "not_scanned",
  severity: "info",
  message: "Not scanned yet, because the scanner is busy. The review scans every file before a decision.",
};

/** One entry with its playbook, from the files that the last sync stored. Sends no request to GitHub. */
export async function getEntry(ctx: Ctx, id: string): Promise<CatalogDetail> {
  const shown = await visibleCatalog(ctx);
  const { entry, source } = await requireEntry(ctx, shown, id);
  const [item] = await presentItems(ctx, shown, [entry.id]);
  if (!item) throw new AppError("not_found", `The catalog has no entry “${id}”.`);
  const fileList = parseJsonColumn(z.array(CatalogFile), entry.files);
  const blobs = await loadBlobs(
    ctx,
    fileList.map((file) => file.sha),
  );
  const { manifest } = readEntry(entry.folder, fileList, (sha) => blobs.get(sha) ?? NOTHING, source.repo);
  const packs = await ctx.db.catalogPack.findMany({
    where: { id: { in: item.packIds } },
    select: { id: true, name: true },
    orderBy: { name: "asc" },
  });
  const { findings, notes } = await entryFindings(entry.contentKey, readFiles(fileList, blobs));
  return {
    ...item,
    manifest: { ...manifest, body: "" },
    body: manifest.body,
    fileList,
    diagnostics: [...parseJsonColumn(z.array(Diagnostic), entry.diagnostics), ...notes],
    findings,
    provenance: { ...entryOrigin(entry, source), syncedAt: source.syncedAt?.toISOString() ?? null },
    operatorIndex: entry.operatorIndex === null ? null : parseJsonColumn(OperatorIndexEntry, entry.operatorIndex),
    dependsOn: dependencyNames(manifest),
    packs,
    places: await placesOf(ctx, shown, entry),
  };
}

const NOTHING = new Uint8Array();

function readFiles(fileList: CatalogFile[], blobs: Map<string, Uint8Array>): SkillFile[] {
  return fileList.flatMap(({ path, mode, sha, kind }) => {
    const bytes = blobs.get(sha);
    return kind === "file" && bytes ? [{ path, mode, bytes }] : [];
  });
}

async function placesOf(ctx: Ctx, shown: VisibleCatalog, entry: CatalogEntry): Promise<CatalogDetail["places"]> {
  const { snapshot, sources } = shown;
  const at = snapshot.byId.get(entry.id);
  const ids = at === undefined ? [entry.id] : copiesOf(shown, at).flatMap((copy) => snapshot.entries[copy]?.id ?? []);
  const rows = await ctx.db.catalogEntry.findMany({
    where: { id: { in: ids } },
    select: { id: true, sourceId: true, folder: true, commit: true },
    orderBy: { id: "asc" },
  });
  rows.sort((a, b) => Number(b.id === entry.id) - Number(a.id === entry.id));
  return rows.flatMap((row) => {
    const source = sources.find((candidate) => candidate.id === row.sourceId);
    if (!source) return [];
    const { owner, repo } = source;
    return {
      id: row.id,
      sourceId: row.sourceId,
      sourceLabel: source.label,
      repository: `${owner}/${repo}`,
      folder: row.folder,
      webUrl: entryWebUrl(source, row),
    };
  });
}

/** Findings in the stored files, cached by their bytes; a note instead while the scanner is busy. */
async function entryFindings(contentKey: string, files: SkillFile[]): Promise<EntryFindings> {
  const kept = processStore("catalog-findings", () => new LRUCache<string, EntryFindings>({ max: CACHE_SIZE }));
  const key = `${contentKey} ${rulesVersion()} ${files.length}`;
  const known = kept.get(key);
  if (known) return known;
  const found = await scan(files);
  if (found === null) return { findings: [], notes: [NOT_SCANNED] };
  kept.set(key, found);
  return found;
}

async function scan(files: SkillFile[]): Promise<EntryFindings | null> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    const { findings } = await scanFiles(files, { signal, rules: rulesVersion() });
    return {
      findings: findings.map(({ rule, severity, path, line, text }) => ({ rule, severity, path, line, text })),
      notes: [],
    };
  } catch (err) {
    if (!signal.aborted) logger.error({ err }, "the scan of a catalog entry failed");
    return null;
  }
}

/**
 * One file of an entry that is not installed, from stored blobs or the raw host at the pinned commit; for a link, its
 * target path. Agents get no scripts (`forbidden`), since no reviewer has granted them.
 */
export async function getEntryFile(ctx: Ctx, id: string, path: string): Promise<CatalogFileContent> {
  const { entry, source } = await requireEntry(ctx, await visibleCatalog(ctx), id);
  const file = parseJsonColumn(z.array(CatalogFile), entry.files).find((candidate) => candidate.path === path);
  if (!file) throw new AppError("not_found", `“${entry.name}” has no file ${path}.`);
  if (isWithheld(ctx.actor, UNREVIEWED, file)) {
    throw new AppError(
      "forbidden",
      `Agents cannot read ${path}: it is a script, and “${entry.name}” is not installed. Ask a person to install it.`,
    );
  }
  if (file.kind === "submodule" || file.size > MAX_AGENT_TEXT_BYTES) return { ...file, text: null };
  const bytes = (await readEntryFiles(ctx, { entry, source }, [file])).get(file.sha);
  return { ...file, text: bytes && isText(bytes) ? new TextDecoder().decode(bytes) : null };
}
