/** The reader's own zone. */
export function localTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Every zone the browser knows; one that is in use already is among them. */
export function timeZones(used: string): string[] {
  return [...new Set([used, localTimeZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
}

/** A moment on the clock of a zone, with the weekday: "Mon, 2 Mar 2026, 09:00". */
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
