import type { Run } from "@/lib/client/runs";
import { plainStyle, readAnsi } from "./ansi";

export type RunReason = {
  what: string;
  /** The last lines of stderr, where the message quotes it; the log has all. */
  stderr: readonly string[];
};

const quotedLines = 5;

/** Why a run ended as it did; null where the result says it. */
export function explainRun({ error }: Pick<Run, "error">): RunReason | null {
  if (!error) return null;
  const quote = /^(.{0,500}?) \(stderr: ([\s\S]*?)\)?$/.exec(error.message);
  if (!quote) return { what: plainLines(error.message).join(" "), stderr: [] };
  const lines = plainLines(quote[2] ?? "").filter((line) => line.trim() !== "");
  const cut = lines.length > quotedLines ? ["…"] : [];
  return { what: quote[1] ?? "", stderr: [...cut, ...lines.slice(-quotedLines)] };
}

function plainLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) =>
    readAnsi(line, plainStyle)
      .pieces.map((piece) => piece.text)
      .join(""),
  );
}
