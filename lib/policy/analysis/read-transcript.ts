type KindOfLine = (text: string, at: number) => "sh" | "other" | null;

/** `$ `, `% `, `>>> `, `me@host:~$ `, `[me@host ~]# `, `bash-5.1$ `, `~/src $ `, `Mac:~ me$ `, `➜ ~ ` and `➜ src git:(main) ✗ `. */
const PROMPT = new RegExp(
  String.raw`^[ \t]{0,20}(?:\([\w.-]{1,40}\) ?)?(?:(?:${[
    String.raw`\[[^\]]{1,80}\]`,
    String.raw`[\w.-]{1,60}@[\w.-]{1,60}[^\s$#%>]{0,80}(?: [~/][^\s$#%>]{0,80})?`,
    String.raw`\w{2,5}-\d[\d.]{0,8}`,
    String.raw`[~/][^\s$#%>]{0,80}`,
    String.raw`[\w.-]{1,60}:[~/]\S{0,80} [\w.-]{1,60}`,
  ].join("|")}) ?[$#%>]|[➜❯][ \t]+(?:~\S{0,80}|\S{1,60} git:\([^)]{1,80}\))(?: ✗)?|[$%❯➜λ]|>>>)[ \t\u00a0]+(?=\S)`,
);
/** Of PowerShell, the command line of Windows and IPython, whose commands no dry run executes. */
const OTHER_PROMPT = /^[ \t]{0,20}(?:PS [A-Z]:\\[^>]{0,200}>|[A-Z]:\\[^>]{0,200}>|In \[\d{1,5}\]:)/;
const ROOT_PROMPT = /^[ \t]{0,20}#[ \t]+(?=\S)/;
const CONTINUED = /^[ \t]{0,20}(?:>|\.\.\.)(?:[ \t]|$)/;
const HEREDOC = /(?<!<)<<(?!<)-?[ \t]{0,20}\\?["']?([\w.-]{1,100})/;

/**
 * The command of a fenced block. Of a transcript, whose first line that is not empty has a prompt, it is the lines with a
 * prompt and those that continue them. `isPartial`: a line that may be a command too would not be executed as one.
 */
export function readTranscript(
  lines: readonly string[],
  info: string,
  kindOfLine: KindOfLine,
): { command: string; isPartial: boolean } {
  const isSession = /^\W*(console|terminal|shell-?session|\w+-session)/i.test(info);
  const promptOf = (line: string): string | null => {
    const found = PROMPT.exec(line)?.[0];
    if (found !== undefined) return line.slice(found.length);
    const root = isSession ? ROOT_PROMPT.exec(line)?.[0] : undefined;
    return root !== undefined && kindOfLine(line, root.length) !== null ? line.slice(root.length) : null;
  };
  const isCommand = (line: string) => kindOfLine(line, line.search(/\S|$/)) !== null;
  const first = lines.find((line) => line.trim() !== "") ?? "";
  if (OTHER_PROMPT.test(first)) return { command: "", isPartial: true };
  if (promptOf(first) === null) {
    const isMarked = (line: string) => CONTINUED.test(line) && isCommand(line.replace(CONTINUED, ""));
    return { command: lines.join("\n"), isPartial: lines.some((line) => promptOf(line) !== null || isMarked(line)) };
  }
  const kept: string[] = [];
  let isPartial = false;
  let end: string | null = null;
  let isContinued = false;
  for (const line of lines) {
    const prompted: string | null = end === null ? promptOf(line) : null;
    const marked: boolean = isContinued && CONTINUED.test(line);
    if (prompted === null && !marked && end === null && !kept.at(-1)?.endsWith("\\")) {
      isContinued = false;
      if (line.trim() !== "" && isCommand(line)) isPartial = true;
      continue;
    }
    const command: string = prompted ?? (marked ? line.replace(CONTINUED, "") : line);
    kept.push(command);
    isContinued = marked || prompted !== null || end !== null;
    if (end !== null) {
      if (command.trim() === end) [end, isContinued] = [null, false];
    } else end = HEREDOC.exec(command)?.[1] ?? null;
  }
  const command = kept.join("\n");
  const isOpen = end !== null || ['"', "'"].some((quote) => command.split(quote).length % 2 === 0);
  return { command, isPartial: isPartial || isOpen };
}
