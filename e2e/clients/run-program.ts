import { spawn } from "node:child_process";

const LIMIT_MS = 120_000;

export type Ended = { code: number | null; output: string };

type Options = {
  cwd: string;
  env: Record<string, string>;
  limitMs?: number;
  /** Called with all that was printed, each time that there is more. */
  onOutput?: (printed: string) => void;
};

/** Runs a program to its end, without a terminal. Returns its output without colours; it is killed after two minutes or `limitMs`. */
export function runProgram(
  command: string,
  args: string[],
  { cwd, env, limitMs = LIMIT_MS, onOutput }: Options,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // The type requires NODE_ENV, which third-party programs must not inherit.
    const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    let printed = "";
    const collect = (chunk: Buffer) => {
      printed += chunk.toString();
      onOutput?.(printed);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output: withoutColours(printed) });
    });
  });
}

/** As `runProgram`; throws the output unless the exit code is 0. */
export async function runWell(command: string, args: string[], options: Options): Promise<string> {
  const { code, output } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${lastLines(output)}`);
  return output;
}

export function lastLines(output: string): string {
  return output.trim().split("\n").slice(-6).join(" / ").slice(-600);
}

function withoutColours(text: string): string {
  const start = String.fromCharCode(27);
  return text.replaceAll(new RegExp(`${start}\\[[0-9;?]*[A-Za-z]`, "g"), "");
}
