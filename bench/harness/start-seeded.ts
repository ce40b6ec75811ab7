import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillWorld, type WorldSize } from "./fill-world";
import { endProcess, inheritedEnvironment, root } from "./product-processes";
import { openSignIn } from "./sign-in-client";

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

const PASSWORD = "quiet-harbour-lantern";
const ADMIN = "tomas@example.test";

type Seeded = {
  url: string;
  /** A folder of the instance's own, removed by `stop`. */
  folder: string;
  /** The session cookie of the seeded world's admin. */
  cookie: string;
  stop(): Promise<void>;
};

/** Starts the built product on the seeded world, filled to the given size, and signs in as its admin. */
export async function startSeeded(size: WorldSize | null = null): Promise<Seeded> {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-seeded-"));
  const env = environmentIn(folder, { password: PASSWORD, token: "sgt_seeded_0123456789abcdefghijklmnopqrs" });
  const seeded = spawnSync(process.execPath, ["bin/script.mjs", "prisma/seed.ts"], {
    cwd: root,
    env: { ...env, PORT: "3000" },
    encoding: "utf8",
  });
  if (seeded.status !== 0) throw new Error(`The world was not seeded: ${seeded.stderr.slice(-500)}`);
  if (size !== null) await fillWorld(join(folder, "data"), size);
  const launcher = await startLauncher(env);
  const stop = async () => {
    await launcher.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const signIn = await openSignIn(launcher.url);
  const { cookie } = await signIn.guess(ADMIN, PASSWORD, "127.0.0.1");
  signIn.close();
  if (cookie !== null) return { url: launcher.url, folder, cookie, stop };
  await stop();
  throw new Error("The sign-in to the seeded instance failed.");
}
