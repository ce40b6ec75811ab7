import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { readText, workspacePath } from "./kit/workspace-path";

const schema = () =>
  z.strictObject({
    path: z.string().min(1).max(1000).describe("File in the workspace, relative to it."),
    offset: z.int().min(1).default(1).describe("First line to return, from 1."),
    limit: z.int().min(1).max(2000).default(2000).describe("Maximum number of lines."),
  });

export const metadata: BuiltinMetadata = {
  name: "read_file",
  label: "Read a file",
  description: "Read lines of a text file in the session's workspace.",
  class: "safe",
  scope: "manager",
  category: "workspace",
  schema,
  resultPreview: "text of the lines, first and last line, number of lines, size",
  grants: { workspace: true },
};

const MAX_CHARS = 200_000;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { path, name } = workspacePath(io, args.path);
  const text = readText(path, name);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  if (args.offset > Math.max(1, lines.length)) throw new BuiltinError(`${name} has ${lines.length} lines only.`);
  const wanted = lines.slice(args.offset - 1, args.offset - 1 + args.limit);
  let left = MAX_CHARS;
  const tooMany = wanted.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  // A single line may be too long: then only its beginning is returned.
  const kept = tooMany < 0 ? wanted : wanted.slice(0, Math.max(1, tooMany));
  const last = args.offset + kept.length - 1;
  return {
    path: name,
    text: kept.join("\n").slice(0, MAX_CHARS),
    firstLine: args.offset,
    lastLine: last,
    totalLines: lines.length,
    size: Buffer.byteLength(text),
    truncated: last < lines.length || (kept[0]?.length ?? 0) > MAX_CHARS,
  };
}
