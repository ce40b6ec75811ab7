"use client";

import { useNow } from "@/components/state/use-now";
import { RelativeTime } from "@/components/ui/relative-time";

const soonMs = 60 * 60_000;

type ExpiryProps = { at: string; className?: string };

export function Expiry({ at, className = "" }: ExpiryProps) {
  const now = useNow();
  const left = now === null ? Number.POSITIVE_INFINITY : Date.parse(at) - now;
  if (left <= 0) return <span className={`text-danger ${className}`}>expired</span>;
  return (
    <span className={`${left < soonMs ? "font-medium text-warning" : ""} ${className}`}>
      expires <RelativeTime value={at} />
    </span>
  );
}
