import { listRules } from "./list-rules";
import type { ScannedSkill } from "./scanned-skill";
import type { Severity } from "./schema";

const SEVERITIES: Severity[] = ["critical", "high", "medium", "info"];

/** A table of findings for each rule, the strong findings one by one, and what the figures do not say. */
export function formatReport(scanned: ScannedSkill[], durationMs: number): string {
  const strong = scanned.flatMap(({ skill, findings }) =>
    findings
      .filter(({ severity }) => severity === "critical" || severity === "high")
      .map(
        ({ rule, severity, path, line, text }) =>
          `${severity.padEnd(9)}${rule}  ${skill}/${path}:${line}  ${text.slice(0, 160)}`,
      ),
  );
  return [
    ...strong,
    "",
    ["rule", "title", "skills", ...SEVERITIES].map(cell).join(""),
    ...tableOf(scanned),
    "",
    `${scanned.length} skills in ${(durationMs / 1000).toFixed(1)} s. Findings are places to look at. No finding does not mean harmless.`,
  ].join("\n");
}

function tableOf(scanned: ScannedSkill[]): string[] {
  return listRules().flatMap(({ id, title }) => {
    const counts = SEVERITIES.map((severity) =>
      scanned.reduce(
        (sum, { findings }) =>
          sum + findings.filter((finding) => finding.rule === id && finding.severity === severity).length,
        0,
      ),
    );
    const skills = scanned.filter(({ findings }) => findings.some(({ rule }) => rule === id)).length;
    return skills === 0 ? [] : [[id, title, skills, ...counts].map(cell).join("")];
  });
}

function cell(value: string | number, column: number): string {
  if (column === 0) return String(value).padEnd(9);
  return column === 1 ? String(value).padEnd(52) : String(value).padStart(9);
}
