import type { AuditEvent } from "@/lib/audit/schema";

/** A line of the timeline: one event, or the events of a release, folded into one line. */
export type TimelineRow =
  | { id: string; at: string; event: AuditEvent }
  | { id: string; at: string; folded: readonly AuditEvent[]; isOpen: boolean };

const MIN_FOLDED = 6;
/** What the server does with the built-ins of its release, and workers with the skills that they offer. */
const FOLDED_ACTIONS: Record<string, ReadonlySet<string>> = {
  system: new Set(["version.approve", "skill.enable"]),
  worker: new Set(["version.import", "worker.file"]),
};

/**
 * Folds consecutive events by which the server approves and switches on the built-ins of its release, or a worker sends the
 * files of its skills and imports them: over 100 at a first start, which would fill the first screen. `open` has the ids of folds that show their events below.
 */
export function foldReleases(events: readonly AuditEvent[], open: ReadonlySet<string>): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let from = 0;
  while (from < events.length) {
    const first = events[from];
    if (first === undefined) break;
    let to = from + 1;
    while (isOfRelease(first) && sameRelease(first, events[to])) to += 1;
    const run = events.slice(from, to);
    const id = `release ${run.at(-1)?.seq}`;
    const isFolded = run.length >= MIN_FOLDED;
    if (isFolded) rows.push({ id, at: first.at, folded: run, isOpen: open.has(id) });
    if (!isFolded || open.has(id)) rows.push(...run.map((event) => ({ id: String(event.seq), at: event.at, event })));
    from = to;
  }
  return rows;
}

function isOfRelease({ actor, action, outcome }: AuditEvent): boolean {
  return outcome === "ok" && (FOLDED_ACTIONS[actor.kind]?.has(action) ?? false);
}

function sameRelease(first: AuditEvent, next: AuditEvent | undefined): boolean {
  return next !== undefined && isOfRelease(next) && next.actor.name === first.actor.name;
}

/** "approved and switched on 24 built-in skills", "imported 24 skills" or "sent 30 files of skills" */
export function releaseSummary(folded: readonly AuditEvent[]): string {
  const countOfAction = (action: string) => folded.filter((event) => event.action === action).length;
  if (folded[0]?.actor.kind === "worker") {
    const imported = countOfAction("version.import");
    return imported === 0
      ? `sent ${countOfAction("worker.file")} files of skills`
      : `imported ${imported} ${imported === 1 ? "skill" : "skills"}`;
  }
  const approved = countOfAction("version.approve");
  const enabled = countOfAction("skill.enable");
  const skills = (count: number) => `${count} built-in ${count === 1 ? "skill" : "skills"}`;
  if (approved === enabled) return `approved and switched on ${skills(approved)}`;
  if (approved === 0) return `switched on ${skills(enabled)}`;
  return enabled === 0 ? `approved ${skills(approved)}` : `approved ${skills(approved)} and switched on ${enabled}`;
}
