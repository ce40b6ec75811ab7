import { beforeAll, describe, expect, it } from "vitest";
import type { StepReport } from "@/lib/policy/analysis/schema";
import { prepareAnalyst } from "./testing/analyse";
import { HARMLESS } from "./testing/harmless-programs";
import { HOSTILE } from "./testing/hostile-programs";

const LANGUAGES = ["sh", "py", "cjs"] as const;

type Programs = Record<(typeof LANGUAGES)[number], readonly { name: string; text: string }[]>;

let reports: Map<string, StepReport> | string = "not set up";

/** All programs of a language are the steps of one analysis. */
async function analyseAll(): Promise<Map<string, StepReport> | string> {
  const analyst = await prepareAnalyst();
  if (typeof analyst === "string") return analyst;
  const all = new Map<string, StepReport>();
  const one = async (programs: Programs, language: (typeof LANGUAGES)[number]) => {
    const paths = programs[language].map((_program, index) => `program-${index}.${language}`);
    const files = Object.fromEntries(programs[language].map(({ text }, index) => [paths[index] ?? "", text]));
    const outcome = await analyst.analyse(
      files,
      paths.map((path) => ({ kind: "script", path, argv: [], stdin: "{}" })),
    );
    if (outcome.kind === "failed") throw new Error(outcome.reason);
    for (const report of outcome.report.steps) {
      const name = programs[language][report.step]?.name ?? "";
      all.set(`${programs === HOSTILE ? "hostile" : "harmless"} ${language} ${name}`, report);
    }
  };
  for (const language of LANGUAGES) await Promise.all([one(HOSTILE, language), one(HARMLESS, language)]);
  return all;
}

beforeAll(async () => {
  reports = await analyseAll();
}, 180_000);

/** The only reason to skip: the worker itself says that it cannot analyse here. */
function reportOf(key: string, skip: (reason: string) => never): StepReport {
  if (typeof reports === "string") return skip(reports);
  const report = reports.get(key);
  if (!report) throw new Error(`There is no report of ${key}.`);
  return report;
}

describe.each(LANGUAGES)("a hostile program in %s", (language) => {
  it("is one of twenty", () => expect(HOSTILE[language]).toHaveLength(20));

  it.for(HOSTILE[language])("that $name: every deed is in its report", ({ name, deeds }, { skip }) => {
    const report = reportOf(`hostile ${language} ${name}`, skip);
    const found = report.deeds.map(({ kind, what }) => `${kind} ${what}`);
    for (const [kind, what] of deeds)
      expect(found, report.stderr).toContainEqual(
        expect.stringMatching(new RegExp(`^${kind} .*${escapePattern(what)}`)),
      );
  });
});

describe.each(LANGUAGES)("a harmless program in %s", (language) => {
  it("is one of twenty", () => expect(HARMLESS[language]).toHaveLength(20));

  it.for(HARMLESS[language])("that $name: there is no deed in its report", ({ name }, { skip }) => {
    const report = reportOf(`harmless ${language} ${name}`, skip);
    expect(report.end, report.stderr).toMatchObject({ kind: "exited" });
    expect(report.programs).not.toEqual([]);
    expect(report.deeds).toEqual([]);
    // Nothing was lost either, of which a finding would say that the report is incomplete.
    expect(report.beyond).toEqual({});
  });
});

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
