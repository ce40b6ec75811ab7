/** `custom` stands for every expression that no other preset covers. */
export type CronPreset = "hourly" | "daily" | "weekdays" | "weekly" | "monthly" | "custom";

export type CronChoice = {
  preset: CronPreset;
  minute: number;
  hour: number;
  /** 0 is Sunday. */
  weekday: number;
  day: number;
};

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

const START: CronChoice = { preset: "custom", minute: 0, hour: 9, weekday: 1, day: 1 };

export function writeCron({ preset, minute, hour, weekday, day }: CronChoice): string {
  switch (preset) {
    case "hourly":
      return `${minute} * * * *`;
    case "weekdays":
      return `${minute} ${hour} * * 1-5`;
    case "weekly":
      return `${minute} ${hour} * * ${weekday}`;
    case "monthly":
      return `${minute} ${hour} ${day} * *`;
    default:
      return `${minute} ${hour} * * *`;
  }
}

export function readCron(cron: string): CronChoice {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || month !== "*" || !isNumber(minute, 59)) return START;
  const base = { ...START, minute: Number(minute) };
  if (hour === "*" && day === "*" && weekday === "*") return { ...base, preset: "hourly" };
  if (!isNumber(hour, 23)) return START;
  const timed = { ...base, hour: Number(hour) };
  if (day === "*" && weekday === "*") return { ...timed, preset: "daily" };
  if (day === "*" && weekday === "1-5") return { ...timed, preset: "weekdays" };
  if (day === "*" && isNumber(weekday, 6)) return { ...timed, preset: "weekly", weekday: Number(weekday) };
  if (weekday === "*" && isNumber(day, 31) && day !== "0") return { ...timed, preset: "monthly", day: Number(day) };
  return START;
}

/** The expression in words; "Custom" without a preset. */
export function describeCron(cron: string): string {
  const { preset, minute, hour, weekday, day } = readCron(cron);
  const at = writeTime({ hour, minute });
  switch (preset) {
    case "hourly":
      return minute === 0 ? "Every hour" : `Every hour at ${minute} min past`;
    case "daily":
      return `Daily at ${at}`;
    case "weekdays":
      return `Weekdays at ${at}`;
    case "weekly":
      return `${WEEKDAYS[weekday]}s at ${at}`;
    case "monthly":
      return `Monthly on day ${day} at ${at}`;
    default:
      return cron === "* * * * *" ? "Every minute" : "Custom";
  }
}

/** "09:05", the value of a time field. */
export function writeTime({ hour, minute }: Pick<CronChoice, "hour" | "minute">): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** The value of a time field; null while it is empty. */
export function readTime(text: string): Pick<CronChoice, "hour" | "minute"> | null {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? null : { hour: Number(hour), minute: Number(minute) };
}

function isNumber(text: string, most: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= most;
}
