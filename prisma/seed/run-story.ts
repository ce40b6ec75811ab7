import type { Clock } from "./clock";
import type { PersonKey } from "./people";
import { type PlayedRun, playRun, type RunEnd } from "./play-run";
import { type RunnableSkill, SAMPLES } from "./run-samples";
import type { Step } from "./world";

type Caller = PersonKey | "agent";

const TWELVE_STEPS = SAMPLES["slow-progress"](1);

/** Days ago, time, caller, skill: the ordinary runs. */
const ORDINARY: [days: number, time: string, by: Caller, skill: RunnableSkill][] = [
  ...[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((days): [number, string, Caller, RunnableSkill] => [
    days,
    "11:20",
    "mara",
    "csv-summary",
  ]),
  ...[12, 9, 6, 3].map((days): [number, string, Caller, RunnableSkill] => [days, "14:05", "ben", "disk-usage-report"]),
  ...[11, 8, 5, 2, 1].map((days): [number, string, Caller, RunnableSkill] => [
    days,
    "08:45",
    "priya",
    "log-tail-summary",
  ]),
  ...[10, 7, 4, 2, 1].map((days): [number, string, Caller, RunnableSkill] => [days, "15:30", "aiko", "json-to-table"]),
  ...[9, 8, 7, 6, 4, 3, 2, 1].map((days): [number, string, Caller, RunnableSkill] => [
    days,
    "10:02",
    "tomas",
    "backup-age-check",
  ]),
  ...[8, 5, 1].map((days): [number, string, Caller, RunnableSkill] => [days, "15:45", "ben", "tag-cleanup"]),
  ...[9, 8, 7].map((days): [number, string, Caller, RunnableSkill] => [days, "12:40", "priya", "ticket-export"]),
  ...[5, 4, 3, 2, 1].map((days): [number, string, Caller, RunnableSkill] => [days, "13:15", "agent", "csv-summary"]),
  ...[11, 6].map((days): [number, string, Caller, RunnableSkill] => [days, "16:10", "priya", "slow-progress"]),
];

export function runStory({ daysAgo, minutesAgo }: Clock): Step[] {
  const turns = new Map<RunnableSkill, number>();
  const play = (at: Date, by: Caller, skill: RunnableSkill, change: Partial<PlayedRun> = {}): Step => {
    const turn = turns.get(skill) ?? 0;
    turns.set(skill, turn + 1);
    const confirm = skill === "tag-cleanup" ? { confirm: true as const } : {};
    const run: PlayedRun = { skill, by, at, ...confirm, ...SAMPLES[skill](turn), ...change };
    return { at, tell: (world) => playRun(world, run) };
  };
  const tooOld = (hours: number): Partial<PlayedRun> => {
    const log = [`newest is harbour-016.dump.zst, ${hours} hours old`, "too old: at most 26 hours are allowed"];
    const end: RunEnd = {
      kind: "fails",
      code: "exit_nonzero",
      message: `exit 3 (stderr: ${log.join("\n")})`,
      exitCode: 3,
    };
    return { log, end };
  };
  return [
    ...ORDINARY.map(([days, time, by, skill]) => play(daysAgo(days, time), by, skill)),
    play(daysAgo(5, "10:02"), "tomas", "backup-age-check", tooOld(31.5)),
    play(daysAgo(5, "10:06"), "tomas", "backup-age-check", tooOld(31.6)),
    play(daysAgo(10, "16:20"), "aiko", "slow-progress", {
      args: TWELVE_STEPS.args,
      durationMs: 4210,
      log: ["step 1 of 12", "step 2 of 12"],
      end: { kind: "is cancelled" },
    }),
    play(daysAgo(9, "16:40"), "lena", "disk-usage-report", {
      args: { path: "/", depth: 3, top: 50 },
      durationMs: 120_031.4,
      end: {
        kind: "fails",
        code: "timed_out",
        message: "The run took longer than its limit of 120 s.",
        signal: "SIGKILL",
      },
    }),
    play(daysAgo(7, "16:05"), "aiko", "csv-summary", {
      args: { source: { kind: "file", path: "/srv/exports/visitors.csv" } },
      log: [
        "Traceback (most recent call last):",
        "FileNotFoundError: [Errno 2] No such file or directory: '/srv/exports/visitors.csv'",
      ],
      end: {
        kind: "fails",
        code: "exit_nonzero",
        message: "exit 1 (stderr: FileNotFoundError: [Errno 2] No such file or directory: '/srv/exports/visitors.csv')",
        exitCode: 1,
      },
    }),
    play(daysAgo(3, "16:15"), "priya", "slow-progress", {
      args: TWELVE_STEPS.args,
      durationMs: 6480,
      log: ["step 1 of 12", "step 2 of 12"],
      end: { kind: "is lost", again: TWELVE_STEPS },
    }),
    play(daysAgo(2, "15:45"), "priya", "slow-progress", { end: { kind: "is refused" } }),
    play(daysAgo(1, "16:00"), "aiko", "tag-cleanup", { end: { kind: "is refused" }, confirm: undefined }),
    play(minutesAgo(170), "mara", "csv-summary"),
    play(minutesAgo(125), "agent", "csv-summary"),
    play(minutesAgo(110), "ben", "log-tail-summary"),
    play(minutesAgo(80), "tomas", "backup-age-check", tooOld(27.2)),
    play(minutesAgo(55), "aiko", "json-to-table"),
    play(minutesAgo(30), "priya", "log-tail-summary"),
    play(minutesAgo(12), "mara", "slow-progress"),
  ];
}
