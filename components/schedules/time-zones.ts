export function localTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All time zones the browser knows, and `used`. */
export function timeZones(used: string): string[] {
  return [...new Set([used, localTimeZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
}

/** "Mon, 2 Mar 2026, 09:00" in the given time zone. */
export function formatInZone(time: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(time));
}
