"use client";

import { formatInZone, localTimeZone } from "./time-zones";

type NextRunsProps = { times: readonly string[]; timeZone: string };

/** The next runs on the schedule's clock and, where it is another one, on the reader's. */
export function NextRuns({ times, timeZone }: NextRunsProps) {
  const local = localTimeZone();
  const isLocal = local === timeZone;
  return (
    <ol aria-label="Next runs" className="flex flex-col gap-1 text-13 tabular-nums">
      {times.map((time) => (
        <li key={time} className="flex flex-wrap gap-x-2">
          <time dateTime={time}>{formatInZone(time, timeZone)}</time>
          {isLocal ? null : <span className="text-muted-foreground">{formatInZone(time, local)} your time</span>}
        </li>
      ))}
    </ol>
  );
}
