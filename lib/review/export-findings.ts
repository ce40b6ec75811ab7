import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireVersion } from "@/lib/skills/version-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import type { VersionFinding } from "@/lib/skills/versions/schema";
import { ALL_RULES } from "./rules/all-rules";
import { SKILL_RISKS, skillRiskOf } from "./rules/skill-risks";

const Text = z.object({ text: z.string() });
const Reference = z.object({ id: z.string(), toolComponent: z.object({ name: z.string() }) });

/** The part of SARIF 2.1.0 (OASIS, errata 01) that is written. */
export const SarifLog = z.object({
  $schema: z.literal("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.object({
      tool: z.object({
        driver: z.object({
          name: z.string(),
          semanticVersion: z.string(),
          rules: z.array(
            z.object({
              id: z.string(),
              name: z.string(),
              shortDescription: Text,
              fullDescription: Text,
              help: Text,
              properties: z.object({ tags: z.array(z.string()), "security-severity": z.string() }),
              relationships: z.array(z.object({ target: Reference, kinds: z.array(z.string()) })),
            }),
          ),
        }),
      }),
      taxonomies: z.array(
        z.object({
          name: z.string(),
          version: z.string(),
          releaseDateUtc: z.string(),
          informationUri: z.string(),
          organization: z.string(),
          shortDescription: Text,
          taxa: z.array(z.object({ id: z.string(), name: z.string(), shortDescription: Text })),
        }),
      ),
      automationDetails: z.object({ id: z.string() }),
      invocations: z.array(z.object({ executionSuccessful: z.boolean(), endTimeUtc: z.string().optional() })),
      columnKind: z.literal("utf16CodeUnits"),
      results: z.array(
        z.object({
          ruleId: z.string(),
          ruleIndex: z.number().int(),
          level: z.enum(["error", "warning", "note"]),
          message: Text,
          locations: z.array(
            z.object({
              physicalLocation: z.object({
                artifactLocation: z.object({ uri: z.string() }),
                region: z.object({
                  startLine: z.number().int(),
                  startColumn: z.number().int(),
                  endLine: z.number().int().optional(),
                  snippet: Text,
                }),
              }),
            }),
          ),
          partialFingerprints: z.record(z.string(), z.string()),
          occurrenceCount: z.number().int(),
          suppressions: z.array(
            z.object({ kind: z.literal("external"), status: z.literal("accepted"), justification: z.string() }),
          ),
        }),
      ),
    }),
  ),
});
export type SarifLog = z.infer<typeof SarifLog>;

const LEVELS = { critical: "error", high: "error", medium: "warning", info: "note" } as const;
/** GitHub and other readers order results by this number, from 0 to 10. */
const SCORES = { critical: "9.5", high: "8.0", medium: "5.0", info: "1.0" } as const;

/**
 * The findings of a version's last scan as SARIF 2.1.0. Dismissed and accepted findings are suppressed results. Throws
 * `conflict` for a version that is not scanned yet.
 */
export async function exportFindings(ctx: Ctx, idOrName: string, digest: string): Promise<SarifLog> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  if (scan === null) {
    throw new AppError(
      "conflict",
      `Version ${version.digest.slice(0, 7)} of “${skill.name}” is not scanned yet. Try again in a minute.`,
    );
  }
  const findings = await presentFindings(ctx, version);
  const { list, names, ...edition } = SKILL_RISKS;
  const driver = {
    name: "Skillgate",
    semanticVersion: "1.0.0",
    rules: ALL_RULES.map((rule) => ({
      id: rule.id,
      name: nameOf(rule.title),
      shortDescription: sentence(rule.title),
      fullDescription: sentence(rule.why),
      help: sentence(rule.why),
      properties: { tags: ["security", ...rule.owasp], "security-severity": SCORES[rule.severity] },
      relationships: [{ target: { id: skillRiskOf(rule.id), toolComponent: { name: list } }, kinds: ["superset"] }],
    })),
  };
  const taxonomy = {
    ...{ name: list, version: edition.version, releaseDateUtc: edition.date, informationUri: edition.address },
    organization: "OWASP",
    shortDescription: sentence("The ten most critical risks of agent skills"),
    taxa: Object.entries(names).map(([id, name]) => ({ id, name: nameOf(name), shortDescription: sentence(name) })),
  };
  const run = {
    tool: { driver },
    taxonomies: [taxonomy],
    automationDetails: { id: `skillgate/${skill.name}/${version.digest}` },
    invocations: [{ executionSuccessful: scan.complete, endTimeUtc: scan.scannedAt.toISOString() }],
    columnKind: "utf16CodeUnits" as const,
    results: findings.map(resultOf),
  };
  return SarifLog.parse({
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [run],
  });
}

function resultOf(finding: VersionFinding): SarifLog["runs"][number]["results"][number] {
  const settled = finding.dismissed;
  const end = finding.endLine === null ? {} : { endLine: finding.endLine };
  return {
    ruleId: finding.rule,
    ruleIndex: ALL_RULES.findIndex(({ id }) => id === finding.rule),
    level: LEVELS[finding.severity],
    message: sentence(finding.why),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: finding.path.split("/").map(encodeURIComponent).join("/") },
          region: { startLine: finding.line, startColumn: finding.column, ...end, snippet: { text: finding.text } },
        },
      },
    ],
    partialFingerprints: { "skillgate/v1": finding.fingerprint },
    occurrenceCount: finding.more + 1,
    suppressions: settled === null ? [] : [{ kind: "external", status: "accepted", justification: settled.reason }],
  };
}

/** Messages are sentences, as the specification recommends. */
function sentence(text: string): { text: string } {
  return { text: /[.!?]$/.test(text) ? text : `${text}.` };
}

/** A rule's name is one word: `DownloadPipedIntoAShell`. */
function nameOf(title: string): string {
  return title
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/(?:^| )(\p{L}|\p{N})/gu, (_whole, letter: string) => letter.toUpperCase());
}
