const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "just now", "3 min ago", "in 2 h", "5 days ago"; a date from 30 days on. */
export function formatRelativeTime(time: number, now: number): string {
  const distance = Math.abs(now - time);
  if (distance < 10_000) return "just now";
  if (distance >= 30 * day) return formatDate(time, now);
  const text = formatDistance(distance);
  return time <= now ? `${text} ago` : `in ${text}`;
}

function formatDistance(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  const days = Math.floor(ms / day);
  return days === 1 ? "1 day" : `${days} days`;
}

function formatDate(time: number, now: number): string {
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(time);
}

/** Date and time with seconds, in the browser's time zone. */
export function formatExactTime(time: number): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" }).format(time);
}

/** A time limit, in the unit in which people enter it: "0.5 s", "60 s", "3600 s". */
export function formatLimit(seconds: number): string {
  return `${seconds} s`;
}

/** A measured time: "820 ms", "4.2 s", "3 min 20 s". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / minute);
  const seconds = Math.floor((ms % minute) / 1000);
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
}
