"use client";

import { useNow } from "@/components/state/use-now";
import { cn } from "./cn";
import { formatExactTime, formatRelativeTime } from "./format-time";

type RelativeTimeProps = {
  /** ISO 8601. */
  value: string;
  className?: string;
};

/** "3 min ago", kept current; the exact time on hover. Dates that cannot be read show as they are. */
export function RelativeTime({ value, className }: RelativeTimeProps) {
  const now = useNow();
  const time = Date.parse(value);
  if (Number.isNaN(time)) return <span className={className}>{value}</span>;
  return (
    <time
      dateTime={value}
      // The server knows neither the reader's time zone nor the moment of reading.
      title={now === null ? undefined : formatExactTime(time)}
      className={cn("whitespace-nowrap", className)}
    >
      {now === null ? value.slice(0, 10) : formatRelativeTime(time, now)}
    </time>
  );
}
