import { spawn } from "node:child_process";
import { AppError } from "@/lib/core/errors";

/**
 * Runs `pg_dump` or `pg_restore` against a database and waits for its end. The password goes by the environment: arguments can
 * be read by everybody on the machine. Throws with the last lines it complained in.
 */
export function runTool(program: "pg_dump" | "pg_restore", args: string[], url: string): Promise<void> {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = "";
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "--dbname", address.href], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        PGCONNECT_TIMEOUT: "10",
        ...(PGPASSWORD && { PGPASSWORD }),
      },
    });
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaints = (complaints + chunk.toString("utf8")).slice(-2_000);
    });
    child.once("error", (cause: Error & { code?: string }) => {
      const isMissing = cause.code === "ENOENT";
      const hint = `${program} is not installed. It comes with PostgreSQL’s client programs; its version must not be older than the server’s.`;
      reject(isMissing ? new AppError("invalid", hint, { cause }) : cause);
    });
    child.once("close", (code) => {
      if (code === 0) resolve();
      else
        reject(new AppError("unavailable", `${program} failed: ${complaints.trim().split("\n").slice(-3).join(" ")}`));
    });
  });
}
