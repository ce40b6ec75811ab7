import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { rulesVersion } from "@/lib/review/scan/rules-version";
import { scanFiles } from "@/lib/review/scan/scan-files";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import type { CatalogDetail } from "../schema";

export type EntryFindings = { findings: CatalogDetail["findings"]; notes: Diagnostic[] };

/** Somebody waits for the page; the review scans again, and all files, whatever is shown here. */
const MAX_WAIT_MS = 4_000;
const KEPT = 300;

/**
 * What the rules find in the files of an entry that are known before it is installed. Kept for entries with the same bytes.
 * When the scanner is busy for too long the answer has no findings and a note that says so.
 */
export async function entryFindings(contentKey: string, files: SkillFile[]): Promise<EntryFindings> {
  const kept = processStore("catalog-findings", () => new Map<string, EntryFindings>());
  const key = `${contentKey} ${rulesVersion()} ${files.length}`;
  const known = kept.get(key);
  if (known) return known;
  const found = await scan(files);
  if (found === null) return { findings: [], notes: [NOT_SCANNED] };
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return found;
}

async function scan(files: SkillFile[]): Promise<EntryFindings | null> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    const { findings } = await scanFiles(files, { signal });
    return {
      findings: findings.map(({ rule, severity, path, line, text }) => ({ rule, severity, path, line, text })),
      notes: [],
    };
  } catch (err) {
    if (!signal.aborted) logger.error({ err }, "an entry of the catalog could not be scanned");
    return null;
  }
}

const NOT_SCANNED: Diagnostic = {
  code: "not_scanned",
  severity: "info",
  message: "The scanner was busy, so nothing was looked for yet; the review scans every file before a decision.",
};
