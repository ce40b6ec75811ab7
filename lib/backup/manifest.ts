import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { IsoTime } from "@/lib/core/schema";

export const MANIFEST_FILE = "manifest.json";
const FORMAT = 1;

/** Accepts only generated names; refuses paths out of the folder. */
const FilePath = z.string().regex(/^(?:[a-z][a-z-]*\/)?[A-Za-z0-9][A-Za-z0-9.-]*$/);
const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const Statement = z.strictObject({
  format: z.literal(FORMAT),
  product: z.strictObject({ version: z.string() }),
  at: IsoTime,
  database: z.strictObject({
    provider: z.enum(["sqlite", "postgresql"]),
    file: FilePath,
    migrations: z.array(z.string()),
    tables: z.record(z.string(), z.number().int()),
    /** Digest of all rows in any order: the sum of their SHA-256 hashes, modulo 2^256. */
    digest: Hash,
  }),
  audit: z.strictObject({
    seq: z.number().int().min(0),
    hash: z.string(),
    problem: z.string().nullable(),
  }),
  files: z.array(z.strictObject({ path: FilePath, bytes: z.number().int().min(0), sha256: Hash })),
});
const Manifest = Statement.extend({ sum: Hash });
export type Manifest = z.infer<typeof Manifest>;

/** Writes the manifest, with the SHA-256 of its content in the last line, so that any change is detected. */
export function writeManifest(statement: Omit<Manifest, "sum" | "format">): string {
  const content = Statement.parse({ format: FORMAT, ...statement });
  return render({ ...content, sum: sha256Hex(render(content)) });
}

/** Parses a manifest; throws for an unknown format and for any change. */
export function readManifest(text: string): Manifest {
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) {
    const format = z.object({ format: z.number() }).safeParse(parseJson(text));
    const isNewer = format.success && format.data.format > FORMAT;
    throw new Error(
      isNewer
        ? `${MANIFEST_FILE} has the format ${format.data.format}: the backup was made by a newer release.`
        : `${MANIFEST_FILE} is not the manifest of a backup, or was changed.`,
    );
  }
  const { sum, ...statement } = parsed.data;
  if (render(parsed.data) !== text || sum !== sha256Hex(render(statement)))
    throw new Error(`${MANIFEST_FILE} was changed after the backup.`);
  return parsed.data;
}

function render(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Null for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
