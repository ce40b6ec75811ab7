"use client";

import { useNow } from "@/components/state/use-now";
import { cn } from "./cn";
import { formatExactTime, formatRelativeTime } from "./format-time";

type RelativeTimeProps = {
  /** ISO 8601. */
  value: string;
  className?: string;
};

/** "3 min ago", kept current, with the exact time on hover. Invalid dates are shown unchanged. */
export function RelativeTime({ value, className }: RelativeTimeProps) {
  const now = useNow();
  const time = Date.parse(value);
  if (Number.isNaN(time)) return <span className={className}>{value}</span>;
  return (
    <time
      dateTime={value}
      // The server does not know the browser's time zone and clock.
      title={now === null ? undefined : formatExactTime(time)}
      className={cn("whitespace-nowrap", className)}
    >
      {now === null ? value.slice(0, 10) : formatRelativeTime(time, now)}
    </time>
  );
}
