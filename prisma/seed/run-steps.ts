import { createSchedule } from "@/lib/runner/schedules/edit-schedules";
import { CreateScheduleInput } from "@/lib/runner/schedules/schema";
import { type RunEnd, type SimulatedRun, simulateRun } from "./simulate-run";
import { type Clock, type PersonKey, type Step, skillId, type World } from "./world";

/** A sample run of a skill; `turn` counts its runs, so that they differ in the same way in every seed. */
type Sample = (turn: number) => Pick<SimulatedRun, "args" | "log" | "durationMs" | "end">;

const TABLES = [
  { text: "city,visitors,rating\nPorto,1200,4.6\nTurku,430,4.1\nGdynia,,4.4\n", rows: 3, mean: 815 },
  { text: "city,visitors,rating\nBergen,910,4.7\nSplit,2210,4.3\n", rows: 2, mean: 1560 },
  {
    text: "city,visitors,rating\nVarna,640,4.0\nAarhus,780,4.5\nLorient,512,3.9\nBari,1730,4.2\n",
    rows: 4,
    mean: 915.5,
  },
];
const FOLDERS = ["/srv/builds", "/var/lib", "/home"];
const LOGS = ["/var/log/ferry-api.log", "/var/log/quay.log"];

/** A duration near `typical`, in milliseconds. */
function around(typicalMs: number, turn: number): number {
  return Math.round(typicalMs * (0.7 + ((turn * 37) % 61) / 60) * 10) / 10;
}

function pick<T>(list: readonly T[], turn: number): T {
  const item = list[turn % list.length];
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

export const SAMPLES = {
  "csv-summary": (turn) => {
    const { text, rows, mean } = pick(TABLES, turn);
    const columns = [
      { name: "city", type: "text", missing: 0, distinct: rows },
      { name: "visitors", type: "number", missing: turn % 3 === 0 ? 1 : 0, mean },
      { name: "rating", type: "number", missing: 0 },
    ];
    return {
      args: { source: { kind: "text", text }, statistics: ["mean"], format: { delimiter: "comma" } },
      log: [`read ${rows} rows and 3 columns`],
      durationMs: around(92, turn),
      end: { kind: "succeeds", result: { rows, columns, problems: [] } },
    };
  },
  "disk-usage-report": (turn) => {
    const path = pick(FOLDERS, turn);
    const kib = 8_400_000 + turn * 310_000;
    return {
      args: { path, depth: 1, top: 5 },
      log: [`measuring ${path}`],
      durationMs: around(2400, turn),
      end: {
        kind: "succeeds",
        result: {
          folders: [
            { path, kib },
            { path: `${path}/archive`, kib: Math.round(kib * 0.61) },
          ],
        },
      },
    };
  },
  "log-tail-summary": (turn) => {
    const path = pick(LOGS, turn);
    const error = (turn * 7) % 23;
    return {
      args: { path, lines: 2000, levels: ["error", "warn"] },
      log: [`2000 lines of ${path}`],
      durationMs: around(140, turn),
      end: {
        kind: "succeeds",
        result: {
          lines: 2000,
          levels: { info: 1900 - error, warn: 100, error },
          top: [{ message: "warn berth # answers slowly: # ms", count: 61 }],
        },
      },
    };
  },
  "json-to-table": (turn) => {
    const items = [{ name: `Check crane ${turn + 1}`, owner: "Aiko", done: turn % 2 === 0 }];
    const table = `| name | owner | done |\n| --- | --- | --- |\n| Check crane ${turn + 1} | Aiko | ${turn % 2 === 0 ? "True" : "False"} |`;
    return {
      args: { items, format: "markdown" },
      log: [],
      durationMs: around(61, turn),
      end: { kind: "succeeds", result: { table, rows: 1, columns: ["name", "owner", "done"] } },
    };
  },
  "slow-progress": (turn) => {
    const steps = 8 + (turn % 3) * 4;
    return {
      args: { steps, pause: 1 },
      log: Array.from({ length: steps }, (_, index) => `step ${index + 1} of ${steps}`),
      durationMs: steps * 1004,
      end: { kind: "succeeds", result: { steps } },
    };
  },
  "backup-age-check": (turn) => {
    const hours = 4 + ((turn * 11) % 19);
    const newest = `harbour-${String(turn + 11).padStart(3, "0")}.dump.zst`;
    return {
      args: { folder: "/srv/backup/nightly", maxAgeHours: 26 },
      log: [`newest is ${newest}, ${hours}.0 hours old`],
      durationMs: around(48, turn),
      end: { kind: "succeeds", result: { newest, ageHours: hours } },
    };
  },
  "tag-cleanup": (turn) => {
    const tags = Array.from({ length: 3 + turn }, (_, index) => `nightly-${420 + turn * 10 - index}`);
    const dryRun = turn % 2 === 0;
    return {
      args: { repository: "/srv/git/ferry-api", pattern: "nightly-*", keep: 10, dryRun },
      log: [`${tags.length} tags match nightly-* and are old`, ...(dryRun ? [] : tags.map((tag) => `deleted ${tag}`))],
      durationMs: around(310, turn),
      end: { kind: "succeeds", result: { tags, deleted: !dryRun } },
    };
  },
  "ticket-export": (turn) => ({
    args: { team: turn % 2 === 0 ? "harbour" : "lighthouse", state: "open" },
    log: [],
    durationMs: around(70, turn),
    end: {
      kind: "succeeds",
      result: { tickets: [{ id: 4101, state: "open", title: "Crane camera is dark at night" }] },
    },
  }),
} as const satisfies Record<string, Sample>;

export type RunnableSkill = keyof typeof SAMPLES;

type Caller = PersonKey | "agent";

const TWELVE_STEPS = SAMPLES["slow-progress"](1);

/** The ordinary runs: days ago, time, caller, skill. */
const ORDINARY: [days: number[], time: string, by: Caller, skill: RunnableSkill][] = [
  [[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "11:20", "mara", "csv-summary"],
  [[12, 9, 6, 3], "14:05", "ben", "disk-usage-report"],
  [[11, 8, 5, 2, 1], "08:45", "priya", "log-tail-summary"],
  [[10, 7, 4, 2, 1], "15:30", "aiko", "json-to-table"],
  [[9, 8, 7, 6, 4, 3, 2, 1], "10:02", "tomas", "backup-age-check"],
  [[8, 5, 1], "15:45", "ben", "tag-cleanup"],
  [[9, 8, 7], "12:40", "priya", "ticket-export"],
  [[5, 4, 3, 2, 1], "13:15", "agent", "csv-summary"],
  [[11, 6], "16:10", "priya", "slow-progress"],
];

export function runSteps({ daysAgo, minutesAgo }: Clock): Step[] {
  const turns = new Map<RunnableSkill, number>();
  const simulate = (at: Date, by: Caller, skill: RunnableSkill, change: Partial<SimulatedRun> = {}): Step => {
    const turn = turns.get(skill) ?? 0;
    turns.set(skill, turn + 1);
    const confirm = skill === "tag-cleanup" ? { confirm: true as const } : {};
    const run: SimulatedRun = { skill, by, at, ...confirm, ...SAMPLES[skill](turn), ...change };
    return { at, run: (world) => simulateRun(world, run) };
  };
  const tooOld = (hours: number): Partial<SimulatedRun> => {
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
    ...ORDINARY.flatMap(([days, time, by, skill]) => days.map((day) => simulate(daysAgo(day, time), by, skill))),
    simulate(daysAgo(5, "10:02"), "tomas", "backup-age-check", tooOld(31.5)),
    simulate(daysAgo(5, "10:06"), "tomas", "backup-age-check", tooOld(31.6)),
    simulate(daysAgo(10, "16:20"), "aiko", "slow-progress", {
      args: TWELVE_STEPS.args,
      durationMs: 4210,
      log: ["step 1 of 12", "step 2 of 12"],
      end: { kind: "is cancelled" },
    }),
    simulate(daysAgo(9, "16:40"), "lena", "disk-usage-report", {
      args: { path: "/", depth: 3, top: 50 },
      durationMs: 120_031.4,
      end: {
        kind: "fails",
        code: "timed_out",
        message: "The run took longer than its limit of 120 s.",
        signal: "SIGKILL",
      },
    }),
    simulate(daysAgo(7, "16:05"), "aiko", "csv-summary", {
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
    simulate(daysAgo(3, "16:15"), "priya", "slow-progress", {
      args: TWELVE_STEPS.args,
      durationMs: 6480,
      log: ["step 1 of 12", "step 2 of 12"],
      end: { kind: "is lost", again: TWELVE_STEPS },
    }),
    simulate(daysAgo(2, "15:45"), "priya", "slow-progress", { end: { kind: "is refused" } }),
    simulate(daysAgo(1, "16:00"), "aiko", "tag-cleanup", { end: { kind: "is refused" }, confirm: undefined }),
    simulate(minutesAgo(170), "mara", "csv-summary"),
    simulate(minutesAgo(125), "agent", "csv-summary"),
    simulate(minutesAgo(110), "ben", "log-tail-summary"),
    simulate(minutesAgo(80), "tomas", "backup-age-check", tooOld(27.2)),
    { at: minutesAgo(70), run: scheduleBackupCheck },
    simulate(minutesAgo(55), "aiko", "json-to-table"),
    simulate(minutesAgo(30), "priya", "log-tail-summary"),
    // An agent cannot confirm a mutating skill, so its run waits for a person.
    simulate(minutesAgo(25), "agent", "tag-cleanup", {
      args: { repository: "/srv/git/ferry-api", pattern: "nightly-*", keep: 10, dryRun: false },
      end: { kind: "waits" },
      confirm: undefined,
    }),
    simulate(minutesAgo(12), "mara", "slow-progress"),
  ];
}

/** After a backup that was too old, the check that Tomás started by hand each day runs by itself. */
async function scheduleBackupCheck(world: World, at: Date): Promise<void> {
  const input = { name: "Daily backup check", skill: skillId(world, "backup-age-check"), cron: "2 10 * * *" };
  await createSchedule(
    world.person("tomas", at),
    CreateScheduleInput.parse({ ...input, args: { folder: "/srv/backup/nightly", maxAgeHours: 26 } }),
  );
}
