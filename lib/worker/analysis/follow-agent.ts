import { randomBytes } from "node:crypto";
import type { AgentCommand, StepReport } from "@/lib/policy/analysis/schema";
import { storableText } from "@/lib/skill-format/json-values";
import type { EntryProcess } from "../launch/launcher";
import type { AgentTurn } from "../protocol";

export type AgentLog = NonNullable<StepReport["agent"]>;
export type AskAgent = (step: number, commands: AgentCommand[]) => Promise<AgentTurn>;

const MAX_OUTPUT = 4_000;

/**
 * The shell of an agent: reads two lines for each command, a marker and the command with octal escapes, and prints the
 * marker with the exit code after the command's output. Only built-ins, so that the report lists no program of ours but
 * `timeout`.
 */
export function agentShell(shell: string, seconds: number): string {
  const execute = `timeout -k 1 ${seconds} ${shell} -c "$(printf %b "$text")" </dev/null 2>&1`;
  return `while IFS= read -r mark && IFS= read -r text; do ${execute}; printf '\\n%s %s\\n' "$mark" "$?"; done`;
}

/** Asks for commands and gives them to the agent's shell, until there are no more of them or the shell ends. Never throws. */
export async function followAgent(
  child: EntryProcess,
  limit: number,
  ask: (commands: AgentCommand[]) => Promise<AgentTurn>,
): Promise<AgentLog> {
  const commands: AgentCommand[] = [];
  const shell = openShell(child);
  const lead = async (): Promise<string> => {
    for (;;) {
      const turn = await Promise.race([ask(commands), shell.ended]);
      if (turn === null) return "Its shell was ended.";
      if (turn.commands.length === 0) return turn.end;
      for (const [index, command] of turn.commands.entries()) {
        if (commands.length >= limit) return `It was ended after ${limit} commands, its limit.`;
        const done = await shell.run(command);
        commands.push({ said: index === 0 ? turn.said : "", command, ...done });
        if (done.exitCode === null) return "Its shell was ended.";
      }
    }
  };
  try {
    return { commands, end: await lead() };
  } catch (failure) {
    const cause = failure instanceof Error ? failure.message : String(failure);
    return { commands, end: `The server did not say what it does next: ${cause}`.slice(0, 2_000) };
  } finally {
    child.stdin.end();
  }
}

function openShell(child: EntryProcess) {
  const decoder = new TextDecoder();
  let output = "";
  let onOutput = () => {};
  child.stdout.on("data", (chunk: Buffer) => {
    output += decoder.decode(chunk, { stream: true });
    onOutput();
  });
  const ended = new Promise<null>((resolve) => child.once("exit", () => resolve(null)));

  async function run(command: string): Promise<Pick<AgentCommand, "output" | "exitCode">> {
    // A command is not given it; one that finds it in the memory of the shell misleads only the agent.
    const mark = randomBytes(16).toString("hex");
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    output = "";
    const finished = new Promise<RegExpExecArray>((resolve) => {
      onOutput = () => {
        const found = end.exec(output.length > MAX_OUTPUT ? output.slice(-200) : output);
        if (found) resolve(found);
      };
    });
    child.stdin.write(`${mark}\n${escapeBytes(command)}\n`);
    const found = await Promise.race([finished, ended]);
    onOutput = () => {};
    const text = found === null ? output : output.slice(0, -found[0].length);
    return { output: shorten(text), exitCode: found === null ? null : Number(found[1]) };
  }

  return { run, ended };
}

/** For `printf %b` of any shell. */
function escapeBytes(text: string): string {
  return [...Buffer.from(text.replaceAll("\0", ""))].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

/** The beginning and the end of it. */
function shorten(text: string): string {
  const plain = storableText(text);
  if (plain.length <= MAX_OUTPUT) return plain;
  const half = MAX_OUTPUT / 2 - 10;
  return `${plain.slice(0, half)}\n…\n${plain.slice(-half)}`;
}
