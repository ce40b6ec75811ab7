import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { previewImport, type ScanUploaded, UNSCANNED } from "@/lib/skills/transfer/import-skills";
import type { ImportPreview } from "@/lib/skills/transfer/schema";
import { scanFiles } from "./scan/scan-files";

const MAX_SHOWN = 50;
/** For all skills of an upload; the others are scanned after the import. */
const SCAN_MS = 8_000;

/** Previews an import with the findings of a scan, in the scan thread. Scans for up to 8 seconds. Stores nothing. */
export async function previewScanned(
  ctx: Ctx,
  input: Parameters<typeof previewImport>[1],
  deadline: AbortSignal = AbortSignal.timeout(SCAN_MS),
): Promise<ImportPreview> {
  const scan: ScanUploaded = async ({ files }) => {
    if (deadline.aborted) return UNSCANNED;
    try {
      const { findings, complete } = await scanFiles(files, { signal: deadline });
      return {
        scan: complete ? "complete" : "incomplete",
        findings: findings
          .slice(0, MAX_SHOWN)
          .map(({ rule, severity, path, line, why }) => ({ rule, severity, path, line, why })),
        moreFindings: Math.max(0, findings.length - MAX_SHOWN),
      };
    } catch (err) {
      if (!deadline.aborted) logger.error({ err }, "an upload could not be scanned for its preview");
      return UNSCANNED;
    }
  };
  return previewImport(ctx, input, scan);
}
