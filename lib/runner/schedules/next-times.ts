import { Cron } from "croner";
import { AppError } from "@/lib/core/errors";

const FIELDS = ["minute", "hour", "day of month", "month", "day of week"] as const;

export type Times = { cron: string; timeZone: string };

/**
 * The next `count` times after `after`, in the clock of the time zone. A time that the clock skips in spring is moved by the
 * same amount; a time that occurs twice in autumn counts the first time only, unless the hour is a wildcard. `invalid` names
 * the wrong field of the expression, or the time zone.
 */
export function nextTimes({ cron, timeZone }: Times, after: Date, count: number): Date[] {
  assertTimeZone(timeZone);
  assertCron(cron);
  return read(cron, timeZone).nextRuns(count, after);
}

export function nextTime(times: Times, after: Date): Date | null {
  return nextTimes(times, after, 1)[0] ?? null;
}

/** Like `nextTime`, for a time that will be stored: throws `invalid` when no date matches. */
export function requireNextTime(times: Times, after: Date): Date {
  const next = nextTime(times, after);
  if (next === null) throw wrong("cron", "it matches no date");
  return next;
}

function read(cron: string, timezone?: string): Cron {
  return new Cron(cron, { paused: true, mode: "5-part", ...(timezone === undefined ? {} : { timezone }) });
}

function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw wrong("timeZone", `“${timeZone}” is not a time zone; write a name such as Europe/Berlin`);
  }
}

function assertCron(cron: string): void {
  const parts = cron.trim().split(/\s+/).filter(Boolean);
  if (parts.length !== FIELDS.length) {
    throw wrong("cron", `it has ${parts.length} of the five fields: ${FIELDS.join(", ")}`);
  }
  for (const [index, part] of parts.entries()) {
    if (!reads(FIELDS.map((_, other) => (other === index ? part : "*")).join(" "))) {
      throw wrong("cron", `the ${FIELDS[index]} (field ${index + 1}) cannot be “${part}”`);
    }
  }
  if (!reads(cron)) throw wrong("cron", "it is not a cron expression");
}

function reads(cron: string): boolean {
  try {
    read(cron);
    return true;
  } catch {
    return false;
  }
}

function wrong(path: string, message: string): AppError {
  const subject = path === "cron" ? "The cron expression" : "The time zone";
  return new AppError("invalid", `${subject} cannot be used: ${message}.`, { errors: [{ path, message }] });
}
