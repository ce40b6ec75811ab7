const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The moments of the story, counted back from when it is told, so that the world always looks freshly used. */
export type Clock = {
  /** A time of day (UTC), whole days ago; at least one, so that it is past whatever the time is now. */
  daysAgo(days: number, time: string): Date;
  minutesAgo(minutes: number): Date;
};

export function createClock(now: Date): Clock {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return {
    daysAgo(days, time) {
      const [hours = 0, minutes = 0] = time.split(":").map(Number);
      return new Date(midnight - days * DAY_MS + (hours * 60 + minutes) * MINUTE_MS);
    },
    minutesAgo: (minutes) => new Date(now.getTime() - minutes * MINUTE_MS),
  };
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
