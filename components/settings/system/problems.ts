import type { BackupList } from "@/lib/backup/schema";
import type { System } from "@/lib/http/schema";
import type { JobList } from "@/lib/jobs/schema";

export const checkLabels: Record<System["readiness"]["checks"][number]["name"], { ok: string; failing: string }> = {
  database: { ok: "Database reachable", failing: "Database not reachable" },
  migrations: { ok: "Schema up to date", failing: "Schema not up to date" },
  disk: { ok: "Enough disk space", failing: "Disk space low" },
  draining: { ok: "Accepting requests", failing: "Not accepting requests" },
};

type Problem = { id: string; tone: "danger" | "warning"; title: string; detail: string; href?: string; link?: string };

/** The server checks for due jobs each second and runs them one after the other. */
export const LATE_AFTER_SECONDS = 10;

type States = { system: System; backups: BackupList | undefined; jobs: JobList | undefined };

/** What needs an operator now, failures first. Backups and jobs count once they are known. */
export function systemProblems({ system, backups, jobs }: States): Problem[] {
  const found = [
    ...system.readiness.checks
      .filter(({ ok }) => !ok)
      .map(({ name, problem }) => failure(name, checkLabels[name].failing, problem ?? "")),
    ...auditProblems(system),
    ...(backups ? backupProblems(backups) : []),
    ...(jobs ? jobProblems(jobs) : []),
    ...workerProblems(system),
  ];
  return [...found.filter(({ tone }) => tone === "danger"), ...found.filter(({ tone }) => tone === "warning")];
}

function failure(id: string, title: string, detail: string): Problem {
  return { id, tone: "danger", title, detail };
}

function auditProblems({ audit: { verified } }: System): Problem[] {
  if (verified === null || verified.ok) return [];
  const detail = "The last verification found a changed, missing or added event.";
  return [{ ...failure("audit", "The audit chain is broken", detail), href: "/audit", link: "Open audit log" }];
}

function backupProblems({ lastFailure, backups, schedule }: BackupList): Problem[] {
  const damaged = backups.filter(({ verified }) => !verified);
  const link = { href: "#backups", link: "Show backups" };
  const none: Problem = {
    id: "no-backup",
    tone: "warning",
    title: "There is no backup",
    detail: "Back up now below, and set an interval for automatic backups.",
    ...link,
  };
  return [
    ...(lastFailure ? [{ ...failure("backup", "The last backup failed", lastFailure.reason), ...link }] : []),
    ...(damaged.length > 0
      ? [{ ...failure("damaged", "A backup is damaged", damaged.map(({ name }) => name).join(", ")), ...link }]
      : []),
    ...(backups.length === 0 && schedule.everyHours === 0 && lastFailure === null ? [none] : []),
  ];
}

function jobProblems({ leader, items }: JobList): Problem[] {
  const link = { href: "#jobs", link: "Show jobs" };
  const failed = items.filter(({ last, running }) => !running && last?.outcome === "failed");
  const late = items.filter(({ lateSeconds }) => lateSeconds > LATE_AFTER_SECONDS);
  return [
    ...(leader === null
      ? [failure("leader", "No process runs the background jobs", "They wait for one to start.")]
      : []),
    ...failed.map(({ name, title, last }) => ({
      ...failure(`job ${name}`, `The job “${title}” failed`, last?.summary ?? ""),
      ...link,
    })),
    ...(late.length > 0
      ? [
          {
            id: "late",
            tone: "warning" as const,
            title: "Background jobs are late",
            detail: late.map(({ title }) => title).join(", "),
            ...link,
          },
        ]
      : []),
  ];
}

function workerProblems({ queue, unserved }: System): Problem[] {
  const refused = unserved.items.filter(({ builtin }) => !builtin).length + unserved.more;
  const problems: Problem[] = [];
  if (queue.workers.online === 0)
    problems.push({
      ...failure("workers", "No worker is online", "Runs wait until a worker connects."),
      href: "/settings/workers",
      link: "Open workers",
    });
  if (refused > 0)
    problems.push({
      id: "unserved",
      tone: "warning",
      title: `Runs of ${refused} approved ${refused === 1 ? "skill" : "skills"} are refused`,
      detail: "No worker allows what reviewers granted to them.",
      href: "#unserved",
      link: "Show skills",
    });
  return problems;
}
