import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { fileProblem } from "./kit/host-path";
import { workspacePath } from "./kit/workspace-path";

const schema = () =>
  z.strictObject({
    path: z
      .string()
      .min(1)
      .max(1000)
      .describe("File in the workspace, relative to it; missing directories are created."),
    content: z.string().max(1_000_000).describe("The whole text of the file, or the text to append."),
    append: z.boolean().default(false).describe("Whether to append the text instead of replacing the file."),
  });

export const metadata: BuiltinMetadata = {
  name: "write_file",
  label: "Write a file",
  description: "Create, replace or extend a text file in the session's workspace.",
  class: "mutating",
  scope: "manager",
  category: "workspace",
  schema,
  resultPreview: "path, bytes written, whether the file is new",
  grants: { workspace: true },
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { path, name } = workspacePath(io, args.path);
  if (name === ".") throw new BuiltinError("“path” names the workspace itself, not a file.");
  const created = !existsSync(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, args.content, { flag: args.append ? "a" : "w" });
  } catch (cause) {
    throw new BuiltinError(`${name} ${fileProblem(cause)}.`, { cause });
  }
  return { path: name, bytes: Buffer.byteLength(args.content), created };
}
