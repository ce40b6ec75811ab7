import { readFolderArgument } from "@/lib/core/read-folder-argument";
import { findSkills, readSkillFiles } from "./collect-skills";
import { formatReport } from "./format-report";
import { scanFiles } from "./scan-files";
import type { ScannedSkill } from "./scanned-skill";

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
