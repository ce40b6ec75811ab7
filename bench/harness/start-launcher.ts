import { spawn } from "node:child_process";
import { join } from "node:path";
import { endProcess, inheritedEnvironment, root } from "./product-processes";

const READY = /Skillgate is ready: (\S+)/;

type Launched = {
  url: string;
  pid: number;
  stop(): Promise<void>;
};

/** The environment of a product with all its data in `folder`, on a free port, and with this admin. */
export function environmentIn(folder: string, admin: { password: string; token: string }): NodeJS.ProcessEnv {
  return {
    ...(inheritedEnvironment() as NodeJS.ProcessEnv),
    PORT: "0",
    SKILLGATE_DATA: join(folder, "data"),
    SKILLGATE_WORK_DIR: join(folder, "work"),
    SKILLGATE_LOG_LEVEL: "error",
    SKILLGATE_ADMIN_EMAIL: "bench@example.test",
    SKILLGATE_ADMIN_PASSWORD: admin.password,
    SKILLGATE_ADMIN_TOKEN: admin.token,
  };
}

export async function startLauncher(env: NodeJS.ProcessEnv): Promise<Launched> {
  const launcher = spawn(process.execPath, ["bin/start.mjs"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = READY.exec(output)?.[1];
      if (found) resolve(found.replace(/\/$/, ""));
    };
    launcher.stdout.on("data", read);
    launcher.stderr.on("data", read);
    launcher.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  return { url, pid: launcher.pid ?? 0, stop: () => endProcess(launcher) };
}
