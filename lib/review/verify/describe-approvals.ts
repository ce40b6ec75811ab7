import { printable } from "@/lib/core/printable-text";
import type { VerifiedApproval } from "./verify-data";

const MAX_NAME = 120;

/**
 * A table of approvals for a terminal, the problems of those that failed, and a summary. Names come last in a row and without
 * hidden characters: no signature of a bundle covers the skill's name, so that only the id before it says which skill it is.
 */
export function describeApprovals(approvals: VerifiedApproval[]) {
  const failed = approvals.filter(({ problem }) => problem !== null);
  const rows = approvals.map(({ skillId, skill, digest, class: decided, signers, problem }) => [
    problem === null ? "ok" : "FAILED",
    ...[skillId, digest.slice(0, 12), decided, signers.join(", "), skill].map(nameOf),
  ]);
  const table = [["", "skill id", "version", "class", "signed by", "skill"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return {
    table: table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    ),
    problems: failed.map(
      ({ skillId, skill, digest, problem }) =>
        `${nameOf(skillId)} ${nameOf(digest.slice(0, 12))} “${nameOf(skill)}”: ${printable(problem ?? "")}.`,
    ),
    summary: `${approvals.length - failed.length} of ${approvals.length} approvals are valid.`,
  };
}

function nameOf(text: string): string {
  return printable(text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);
}
