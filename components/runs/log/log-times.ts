export type LogTimes = "none" | "elapsed" | "clock";

/** When a line came: since the run began (`+1.234`), or by the reader's clock. */
export function logTime(at: string, startedAt: string | null, times: LogTimes): string | null {
  const time = Date.parse(at);
  if (times === "none" || Number.isNaN(time)) return null;
  if (times === "clock") return clock.format(time);
  const elapsed = Math.max(0, time - Date.parse(startedAt ?? at));
  const minutes = Math.floor(elapsed / 60_000);
  const seconds = ((elapsed % 60_000) / 1000).toFixed(3);
  return minutes === 0 ? `+${seconds}` : `+${minutes}:${seconds.padStart(6, "0")}`;
}

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
