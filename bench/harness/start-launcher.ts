import { spawn } from "node:child_process";
import { endProcess, root } from "./product-processes";

const READY = /Skillgate is ready: (\S+)/;

export type Launched = {
  url: string;
  /** Process id of the launcher, whose children are the web process and the worker. */
  pid: number;
  stop(): Promise<void>;
};

/** Starts the built product as `npm start` does; resolves when it says that it is ready. */
export async function startLauncher(env: NodeJS.ProcessEnv): Promise<Launched> {
  const launcher = spawn(process.execPath, ["bin/start.mjs"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const found = READY.exec(said)?.[1];
      if (found) resolve(found.replace(/\/$/, ""));
    };
    launcher.stdout.on("data", hear);
    launcher.stderr.on("data", hear);
    launcher.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  return { url, pid: launcher.pid ?? 0, stop: () => endProcess(launcher) };
}
