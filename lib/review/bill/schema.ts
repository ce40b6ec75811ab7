import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

const Property = z.object({ name: z.string(), value: z.string() });
const Licence = z.object({ license: z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]) });

export const BillComponent = z.object({
  type: z.enum(["application", "library", "file", "machine-learning-model"]),
  "bom-ref": z.string(),
  name: z.string(),
  version: z.string().optional(),
  description: z.string().optional(),
  hashes: z.array(z.object({ alg: z.literal("SHA-256"), content: z.string() })).optional(),
  licenses: z.array(Licence).optional(),
  purl: z.string().optional(),
  properties: z.array(Property).optional(),
  evidence: z
    .object({ occurrences: z.array(z.object({ location: z.string(), line: z.number().int().optional() })) })
    .optional(),
});
export type BillComponent = z.infer<typeof BillComponent>;

const Tool = z.object({ type: z.literal("application"), name: z.string(), version: z.string() });

/** The part of CycloneDX 1.6 (ECMA-424) that is written. */
export const Bill = z.object({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.6.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.6"),
  serialNumber: z.string(),
  version: z.literal(1),
  metadata: z.object({
    timestamp: IsoTime,
    tools: z.object({ components: z.array(Tool) }),
    component: BillComponent,
  }),
  components: z.array(BillComponent),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  compositions: z.array(z.object({ aggregate: z.literal("incomplete"), assemblies: z.array(z.string()) })),
  vulnerabilities: z
    .array(
      z.object({
        "bom-ref": z.string(),
        id: z.string(),
        source: z.object({ name: z.string() }),
        references: z
          .array(z.object({ id: z.string(), source: z.object({ name: z.string() }) }))
          .optional()
          .describe("Other ids of the same vulnerability, such as its CVE number."),
        description: z.string().optional(),
        recommendation: z.string().optional(),
        affects: z.array(z.object({ ref: z.string() })),
      }),
    )
    .optional(),
});
export type Bill = z.infer<typeof Bill>;

export const Ecosystem = z.enum(["PyPI", "npm", "Go", "crates.io", "RubyGems", "Homebrew", "Debian"]);
export type Ecosystem = z.infer<typeof Ecosystem>;

/** A package that the files name or install. */
export const NamedPackage = z.object({
  ecosystem: Ecosystem.describe("Named as in OSV, where OSV knows it."),
  name: z.string(),
  version: z.string().nullable().describe("The one version that is installed; null when it is not pinned."),
  asked: z.string().describe("As written."),
  path: z.string(),
  line: z.number().int().describe("From 1."),
});
export type NamedPackage = z.infer<typeof NamedPackage>;

export const ListedPackage = NamedPackage.extend({
  purl: z.string(),
  advisories: z.array(
    z.object({
      id: z.string(),
      summary: z.string().nullable(),
      affected: z
        .enum(["yes", "maybe"])
        .describe("yes: the pinned version is affected; maybe: the package is not pinned."),
      fixedIn: z.string().nullable(),
    }),
  ),
});
export type ListedPackage = z.infer<typeof ListedPackage>;

export const AdvisoryFacts = z.object({
  records: z.number().int(),
  sha256: z.string(),
  uploadedAt: IsoTime,
  uploadedBy: z.object({ id: z.string(), name: z.string() }),
});
export type AdvisoryFacts = z.infer<typeof AdvisoryFacts>;
export const AdvisoryList = z.object({ items: z.array(AdvisoryFacts).max(1), nextCursor: z.null() });
export type AdvisoryList = z.infer<typeof AdvisoryList>;

export const PackageList = z.object({
  /** Affected packages first, then unpinned ones. */
  items: z.array(ListedPackage),
  nextCursor: z.null(),
  advisories: AdvisoryFacts.nullable().describe("The file that they are compared with; null without one."),
});
export type PackageList = z.infer<typeof PackageList>;
