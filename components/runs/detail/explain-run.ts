import { plainStyle, readAnsi } from "@/components/runs/log/ansi";
import type { Run } from "@/lib/runner/schema";

type RunReason = {
  what: string;
  /** The last lines of stderr that the message quotes. */
  stderr: readonly string[];
};

const quotedLines = 5;

/** The error of a run with its quoted stderr lines; null without an error. Of a failed step only its place: the step says why. */
export function explainRun({ error, pipeline }: Pick<Run, "error"> & { pipeline?: Run["pipeline"] }): RunReason | null {
  if (!error) return null;
  const step = pipeline ? /^Step \d+ \([^)\s]*\) [a-z ]+\./.exec(error.message)?.[0] : undefined;
  if (step !== undefined) return { what: step, stderr: [] };
  const quote = /^(.{0,500}?) \(stderr: ([\s\S]*?)\)?$/.exec(error.message);
  if (!quote) return { what: inWords(plainLines(error.message).join(" ")), stderr: [] };
  const lines = plainLines(quote[2] ?? "").filter((line) => line.trim() !== "");
  const cut = lines.length > quotedLines ? ["…"] : [];
  return { what: inWords(quote[1] ?? ""), stderr: [...cut, ...lines.slice(-quotedLines)] };
}

/** The worker's "exit 3" as a sentence. */
function inWords(text: string): string {
  const code = /^exit (\d+)$/.exec(text)?.[1];
  return code === undefined ? text : `The program failed with exit code ${code}.`;
}

function plainLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) =>
    readAnsi(line, plainStyle)
      .pieces.map((piece) => piece.text)
      .join(""),
  );
}
