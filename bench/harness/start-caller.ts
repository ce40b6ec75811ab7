import { fork, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Block, Series } from "./measure";
import { endProcess } from "./product-processes";

export type Start = { program: string; args: string[]; options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> };

export type Caller = {
  block(start: Start, value: unknown, block: Block): Promise<Series>;
  stop(): Promise<void>;
};

type Answer = { series: Series } | { error: string };

export function startCaller(): Caller {
  const child = fork(fileURLToPath(new URL("./caller.mjs", import.meta.url)), [], { execArgv: [] });
  return {
    async block(start, value, block) {
      const answered = once(child, "message");
      child.send({ start, input: JSON.stringify(value), ...block });
      const [answer] = (await answered) as [Answer];
      if ("error" in answer) throw new Error(answer.error);
      return answer.series;
    },
    stop: () => endProcess(child),
  };
}
