import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { runProgram } from "./kit/run-program";

const PRIORITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

const schema = () =>
  z.strictObject({
    unit: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9@_.:\\-]{0,127}$/)
      .optional()
      .describe("systemd unit, such as nginx.service; default: all."),
    since_minutes: z.int().min(1).max(43_200).default(60).describe("Time range, in minutes before now."),
    priority: z.enum(PRIORITIES).default("info").describe("Minimum priority of the entries."),
    contains: z.string().min(1).max(200).optional().describe("Only entries that contain this text (case-insensitive)."),
    lines: z.int().min(1).max(500).default(100).describe("Maximum number of entries; the newest are returned."),
  });

export const metadata: BuiltinMetadata = {
  name: "read_journal",
  label: "Read the journal",
  description:
    "Read the last entries of a host's systemd journal, by unit, priority, time and text, as far as the run's user may read it.",
  class: "safe",
  category: "logs",
  schema,
  resultPreview: "entries with time, unit, priority, process and message; notes of journalctl",
  grants: {
    paths: [
      { path: "/var/log/journal", mode: "ro" },
      { path: "/run/log/journal", mode: "ro" },
      { path: "/etc/machine-id", mode: "ro" },
    ],
  },
};

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** Entries to search when a text is given. */
const MAX_SEARCHED = 5000;
const MAX_MESSAGE_CHARS = 1000;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const end = await runProgram(
    io,
    [
      "journalctl",
      ...["--no-pager", "--output=json", "--output-fields=MESSAGE,PRIORITY,_PID,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER"],
      `--since=${args.since_minutes} minutes ago`,
      `--priority=${args.priority}`,
      `--lines=${args.contains === undefined ? args.lines : MAX_SEARCHED}`,
      ...(args.unit === undefined ? [] : [`--unit=${args.unit}`]),
    ],
    { timeoutMs: 25_000, maxBytes: MAX_OUTPUT_BYTES },
  );
  if (end.timedOut) throw new BuiltinError("journalctl took too long.");
  const notes = cutText(end.stderr.trim(), 1000);
  if (end.exitCode !== 0 && end.stdout === "") {
    throw new BuiltinError(notes || `journalctl ended with exit code ${end.exitCode}.`);
  }
  const wanted = args.contains?.toLowerCase();
  const entries = end.stdout
    .split("\n")
    .flatMap(readEntry)
    .filter(({ message }) => wanted === undefined || message.toLowerCase().includes(wanted));
  return { entries: entries.slice(-args.lines), truncated: end.truncated || entries.length > args.lines, notes };
}

function readEntry(line: string) {
  const fields = parseObject(line);
  if (fields === null) return [];
  const microseconds = Number(fields.__REALTIME_TIMESTAMP);
  return [
    {
      at: Number.isFinite(microseconds) ? new Date(microseconds / 1000).toISOString() : null,
      unit: textOf(fields._SYSTEMD_UNIT) || textOf(fields.SYSLOG_IDENTIFIER) || null,
      priority: PRIORITIES[Number(fields.PRIORITY)] ?? null,
      pid: Number(fields._PID) || null,
      message: cutText(textOf(fields.MESSAGE), MAX_MESSAGE_CHARS),
    },
  ];
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** journalctl prints text that is not UTF-8 as a list of bytes. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return Buffer.from(value.map(Number)).toString("utf8");
  return typeof value === "string" ? value : "";
}
