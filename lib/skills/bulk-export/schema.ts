import { z } from "zod";

export const BulkExportQuery = z.object({
  skills: z
    .string()
    .max(25_000)
    .transform((text) => [...new Set(text.split(",").filter(Boolean))])
    .optional()
    .describe("Ids or names, separated by commas; everything the caller sees when left out."),
});
export type BulkExportQuery = z.infer<typeof BulkExportQuery>;

/** `skillgate-export.json` beside the folders of the skills. */
export const ExportManifest = z.object({
  format: z.literal("skillgate-export-1"),
  instance: z.string(),
  exportedAt: z.iso.datetime(),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      folder: z.string(),
      publisher: z.string(),
      version: z.number().int(),
      digest: z.string(),
      state: z.string(),
      /** Scripts that were left out, because an agent asks and no reviewer has granted them. */
      withheld: z.number().int(),
      files: z.array(z.object({ path: z.string(), mode: z.string(), sha256: z.string(), size: z.number().int() })),
    }),
  ),
  /** Skills that are not in it, and why. */
  left: z.array(z.object({ id: z.string(), name: z.string(), reason: z.string() })),
});
export type ExportManifest = z.infer<typeof ExportManifest>;
