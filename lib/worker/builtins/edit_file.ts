import { writeFileSync } from "node:fs";
import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { fileProblem } from "./kit/host-path";
import { readText, workspacePath } from "./kit/workspace-path";

const schema = () =>
  z.strictObject({
    path: z.string().min(1).max(1000).describe("File in the workspace, relative to it."),
    old_text: z.string().min(1).max(200_000).describe("Text to replace, exactly as in the file."),
    new_text: z.string().max(200_000).describe("The replacement."),
    replace_all: z
      .boolean()
      .default(false)
      .describe("Whether to replace every occurrence; otherwise there must be exactly one."),
  });

export const metadata: BuiltinMetadata = {
  name: "edit_file",
  label: "Edit a file",
  description: "Replace a text in a file of the session's workspace, at its only place or at all of them.",
  class: "mutating",
  scope: "manager",
  category: "workspace",
  schema,
  resultPreview: "path, number of replacements, size",
  grants: { workspace: true },
};

const MAX_BYTES = 5 * 1024 * 1024;

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { path, name } = workspacePath(io, args.path);
  const parts = readText(path, name).split(args.old_text);
  const places = parts.length - 1;
  if (places === 0) throw new BuiltinError(`${name} does not have that text; it must be exactly as in the file.`);
  if (places > 1 && !args.replace_all) {
    throw new BuiltinError(`${name} has that text at ${places} places; give more of it, or set replace_all.`);
  }
  const edited = parts.join(args.new_text);
  const size = Buffer.byteLength(edited);
  if (size > MAX_BYTES) throw new BuiltinError(`${name} would become larger than 5 MiB.`);
  try {
    writeFileSync(path, edited);
  } catch (cause) {
    throw new BuiltinError(`${name} ${fileProblem(cause)}.`, { cause });
  }
  return { path: name, replacements: places, size };
}
