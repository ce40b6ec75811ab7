export type Day<T> = { key: string; label: string; events: T[] };

/** Groups events by day in the reader's time zone; keeps their order. */
export function groupByDay<T extends { at: string }>(events: readonly T[], now: number): Day<T>[] {
  const days: Day<T>[] = [];
  for (const event of events) {
    const key = dayKey(Date.parse(event.at));
    const last = days.at(-1);
    if (last?.key === key) last.events.push(event);
    else days.push({ key, label: dayLabel(Date.parse(event.at), now), events: [event] });
  }
  return days;
}

/** `2026-11-20` in the reader's time zone. */
export function dayKey(time: number): string {
  const date = new Date(time);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

function dayLabel(time: number, now: number): string {
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  const key = dayKey(time);
  if (key === dayKey(now)) return "Today";
  if (key === dayKey(yesterday.getTime())) return "Yesterday";
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" }).format(time);
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return `${weekday} ${new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", ...year }).format(time)}`;
}
