import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";

const FLAG = /^--?[A-Za-z0-9?][A-Za-z0-9_.-]{0,98}$/;

/**
 * How one argument reaches the script. `flag`: the flag alone, when the value is true. `option`: the flag and the value.
 * `positional`: the value. With `repeat` the value is a list: an option repeats its flag, or with `together` has all
 * values behind one. `joined` writes flag and value as one word, `--flag=value`. `mayBeOption` lets a positional value begin with a dash although the script may take it for an option.
 */
export const ScriptParam = z
  .strictObject({
    name: z.string().min(1).max(100),
    kind: z.enum(["flag", "option", "positional"]),
    flag: z.string().regex(FLAG, "must be a flag such as --name or -n").optional(),
    repeat: z.boolean().optional(),
    together: z.boolean().optional(),
    joined: z.boolean().optional(),
    mayBeOption: z.boolean().optional(),
  })
  .superRefine(({ kind, flag }, issues) => {
    if (kind !== "positional" && flag === undefined)
      issues.addIssue({ code: "custom", path: ["flag"], message: "is required for a flag or an option" });
    if (kind === "positional" && flag !== undefined)
      issues.addIssue({ code: "custom", path: ["flag"], message: "a positional argument has no flag" });
  });
export type ScriptParam = z.infer<typeof ScriptParam>;

/**
 * How a script is called. `stdin-json`: no arguments, all of them as one JSON object on its input. `argv`: each value as
 * an argument of its own, never through a shell; `stdin` names the parameter whose text is its input. A `standard` parser
 * takes `--` for the end of the options, `--flag=value` and `-fvalue`.
 */
export const ScriptCall = z.discriminatedUnion("style", [
  z.strictObject({ style: z.literal("stdin-json") }),
  z.strictObject({
    style: z.literal("argv"),
    params: z.array(ScriptParam).max(100),
    stdin: z.string().min(1).max(100).optional(),
    standard: z.boolean().optional(),
  }),
]);
export type ScriptCall = z.infer<typeof ScriptCall>;

/** `text`: what it prints is the result, as a string without its last line end. */
export const ScriptOutput = z.enum(["json", "text"]);
export type ScriptOutput = z.infer<typeof ScriptOutput>;

/** A script of a version that a decision makes runnable. */
export const ScriptEntry = z.strictObject({
  path: z.string().min(1).max(240),
  call: ScriptCall,
  schema: JsonObject,
  output: ScriptOutput.default("text"),
});
export type ScriptEntry = z.infer<typeof ScriptEntry>;
