import { readFolderArgument } from "@/lib/core/read-folder-argument";
import { findSkills, readSkillFiles } from "./collect-skills";
import { listRules } from "./list-rules";
import { scanFiles } from "./scan-files";
import type { Finding, Severity } from "./schema";

const SEVERITIES: Severity[] = ["critical", "high", "medium", "info"];

const given = readFolderArgument("scan");
if (given !== null) await scanFolder(given.folder, given.json);

async function scanFolder(root: string, json: boolean): Promise<void> {
  const startedMs = performance.now();
  const scanned: ScannedSkill[] = [];
  for (const found of findSkills(root)) {
    const { files, unread } = readSkillFiles(found);
    const { findings } = await scanFiles(files, { unread });
    scanned.push({
      skill: found.skill,
      findings: findings.map(({ rule, severity, path, line, text }) => ({ rule, severity, path, line, text })),
    });
  }
  console.log(json ? JSON.stringify(scanned) : formatReport(scanned, performance.now() - startedMs));
}

/** A table of findings for each rule, the strong findings one by one, and what the figures do not say. */
function formatReport(scanned: ScannedSkill[], durationMs: number): string {
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

/** One skill in the output of `npm run scan -- FOLDER --json`. */
type ScannedSkill = { skill: string; findings: Pick<Finding, "rule" | "severity" | "path" | "line" | "text">[] };
