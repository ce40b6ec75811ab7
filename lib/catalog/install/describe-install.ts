import type { InstallReport } from "./schema";

/** One sentence or two about an install. */
export function describeInstall(reports: InstallReport[], packName: string | null): string {
  const having = (outcome: InstallReport["outcome"]) => reports.filter((report) => report.outcome === outcome);
  const [installed, updated, known, refused] = [
    having("installed"),
    having("updated"),
    having("known"),
    having("refused"),
  ];
  const files = [...installed, ...updated].reduce((sum, report) => sum + report.files, 0);
  const parts = [
    installed.length > 0 && `${count(installed.length, "skill")} installed`,
    updated.length > 0 && `${count(updated.length, "skill")} updated`,
    known.length > 0 && `${known.length} installed already`,
    refused.length > 0 && `${refused.length} left out`,
  ].filter((part) => part !== false);
  const what = packName === null ? "" : `${packName}: `;
  const waits = files > 0 ? ` (${count(files, "file")}). Off until a reviewer approves.` : ".";
  return `${what}${parts.join(", ")}${waits}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
