import { type Found, type FoundParam, lineAt } from "./found";

const MAX_NAMES = 30;

/** The letters that a shell script reads with getopts; a letter’s name is the variable that it sets. */
export function readGetopts(text: string): Found | null {
  const match = /\bgetopts\s+["']?(:?[A-Za-z0-9?:]{1,120})["']?/.exec(text);
  const spec = match?.[1]?.replace(/^:/, "");
  if (match === null || !spec) return null;
  const letters = [...spec.matchAll(/([A-Za-z0-9])(:?)/g)].slice(0, MAX_NAMES);
  const params = letters.flatMap(([, letter = "", colon]): FoundParam[] => {
    const body =
      new RegExp(`^[ \\t]*(?:case[^\\n]{0,80} in[ \\t]+)?["']?${letter}["']?[ \\t]*\\)(.{0,200})`, "m").exec(
        text,
      )?.[1] ??
      new RegExp(`[;\\s]${letter}\\)(.{0,100})`).exec(text)?.[1] ??
      "";
    const help = helpOf(text, letter);
    if (letter === "h" && colon === "") return [];
    const name = /([A-Za-z_]\w{0,60})=/.exec(body.split(";;")[0] ?? "")?.[1]?.toLowerCase() ?? `option_${letter}`;
    const flag = `-${letter}`;
    return colon === ""
      ? [{ name, kind: "flag", flag, type: "boolean", required: false, help }]
      : [{ name, kind: "option", flag, type: "string", required: false, help }];
  });
  const takesMore = /OPTIND/.test(text);
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params, ...(takesMore ? [more] : [])],
    standard: true,
    readFrom: "getopts",
    line: lineAt(text, match.index),
    confidence: "declared",
    note: "Its letters are read with getopts, which does not say which of them it needs.",
  };
}

/** `-n NAME   what it is`, in a usage text. */
function helpOf(text: string, letter: string): string | undefined {
  return new RegExp(
    `^[#\\s"']{0,20}-${letter}[ ,][ \\t]{0,40}(?:[<\\[A-Z]\\S{0,40})?[ \\t]{2,40}(\\S.{0,300})$`,
    "m",
  ).exec(text)?.[1];
}
