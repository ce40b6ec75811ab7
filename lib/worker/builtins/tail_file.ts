import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { fileProblem, hostPath } from "./kit/host-path";

const schema = () =>
  z.strictObject({
    path: z.string().min(1).max(1000).describe("Absolute path of a file below /var/log."),
    lines: z.int().min(1).max(1000).default(100).describe("Number of lines, from the end of the file."),
    contains: z.string().min(1).max(200).optional().describe("Only lines that contain this text (case-insensitive)."),
  });

export const metadata: BuiltinMetadata = {
  name: "tail_file",
  label: "Tail a file",
  description: "Read the last lines of a log file below /var/log of a host, as far as every user may read it.",
  class: "safe",
  category: "logs",
  schema,
  resultPreview: "the lines, the file's size and when it changed; truncated when there were more",
  grants: { paths: [{ path: "/var/log", mode: "ro" }] },
};

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINE_CHARS = 4000;
const MAX_TEXT_CHARS = 200_000;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const path = hostPath(io, args.path);
  const { size, modifiedAt, text, isWhole } = readEnd(path);
  const all = text
    .replace(/\n$/, "")
    .split("\n")
    .slice(isWhole ? 0 : 1);
  const wanted = args.contains?.toLowerCase();
  const found = (text === "" ? [] : all).filter((line) => wanted === undefined || line.toLowerCase().includes(wanted));
  const last = found.slice(-args.lines).map((line) => cutText(line.replace(/\r$/, ""), MAX_LINE_CHARS));
  const lines = keepLast(last, MAX_TEXT_CHARS);
  return { path, size, modifiedAt, lines, truncated: !isWhole || lines.length < found.length };
}

function readEnd(path: string) {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new BuiltinError(`${path} is no file.`);
    const start = Math.max(0, stats.size - MAX_BYTES);
    const bytes = Buffer.alloc(stats.size - start);
    const read = readSync(file, bytes, 0, bytes.length, start);
    const text = bytes.subarray(0, read).toString("utf8");
    return { size: stats.size, modifiedAt: stats.mtime.toISOString(), text, isWhole: start === 0 };
  } catch (cause) {
    throw cause instanceof BuiltinError ? cause : new BuiltinError(`${path} ${fileProblem(cause)}.`, { cause });
  } finally {
    if (file !== null) closeSync(file);
  }
}

function keepLast(lines: string[], maxChars: number): string[] {
  let left = maxChars;
  const first = lines.findLastIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return lines.slice(first + 1);
}
