import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { Fixture, Input } from "./input";

/** The answer: a status, or null when the connection was closed without one, which is a valid answer to nonsense. */
export type Outcome = { status: number | null; isHung: boolean; ms: number };

const BUILD_OUTPUT = "( -name node_modules -o -name .next* -o -name .git )";

/** Sends one input on its own connection. Resolves at the head of the answer, since streams may not end. */
export function sendInput(input: Input, { host, token }: Fixture, patienceMs: number): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const settle = (status: number | null, isHung = false) =>
      resolve({ status, isHung, ms: performance.now() - startedAt });
    if (input.kind === "raw") return sendBytes(input.bytes, host, patienceMs, settle);
    const [hostname, port] = host.split(":");
    const body = input.body ?? "";
    try {
      const sent = request(
        {
          hostname,
          port,
          path: input.path.replace(/[^\x21-\xff]/g, encodeURIComponent),
          method: input.method,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body.length > 0 ? { "content-length": Buffer.byteLength(body) } : {}),
            ...input.headers,
          },
        },
        (response) => {
          settle(response.statusCode ?? null);
          response.destroy();
        },
      );
      sent.setTimeout(patienceMs, () => {
        settle(null, true);
        sent.destroy();
      });
      sent.once("error", () => settle(null));
      sent.end(body);
    } catch {
      settle(null);
    }
  });
}

function sendBytes(
  bytes: Uint8Array,
  host: string,
  patienceMs: number,
  settle: (status: number | null, isHung?: boolean) => void,
): void {
  const [hostname, port] = host.split(":");
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setTimeout(patienceMs, () => {
    settle(null, true);
    socket.destroy();
  });
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const worst = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)]
      .map(([, status]) => Number(status))
      .sort((a, b) => b - a)[0];
    if (worst === undefined) return;
    settle(worst);
    socket.destroy();
  });
  socket.once("error", () => settle(null));
  socket.once("close", () => settle(null));
  socket.end(bytes);
}

type Sweep = {
  /** Files outside the data directory that were created or changed since the start, or whose name contains the marker. */
  find(): string[];
};

/** Marks the start time, for a later search for files outside the data directory. */
export function startSweep({ folder, marker, product }: { folder: string; marker: string; product: string }): Sweep {
  const canary = join(folder, "canary");
  mkdirSync(canary, { recursive: true });
  writeFileSync(join(canary, "file"), marker);
  const stamp = join(folder, "stamp");
  writeFileSync(stamp, "");
  const wasAt = statSync(join(canary, "file")).mtimeMs;
  const ours = [join(folder, "data"), join(folder, "work"), stamp];
  const prune = ours.flatMap((path) => ["-path", path, "-prune", "-o"]);
  return {
    find: () => [
      ...list([..."/ -xdev ( -path /proc -o -path /sys ) -prune -o -name".split(" "), `*${marker}*`, "-print"]),
      ...list([folder, ...prune, "-type", "f", "-newer", stamp, "-print"]),
      ...list(["/etc", "/usr/local", "/opt", "-xdev", "-type", "f", "-newer", stamp, "-print"]),
      ...list([product, ...BUILD_OUTPUT.split(" "), "-prune", "-o", "-type", "f", "-newer", stamp, "-print"]),
      ...(statSync(join(canary, "file")).mtimeMs === wasAt ? [] : [join(canary, "file")]),
    ],
  };
}

function list(given: string[]): string[] {
  try {
    return execFileSync("find", given, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch (error) {
    // Folders that vanish during the search make `find` fail after it has printed its results.
    const { stdout } = error as { stdout?: string };
    return (stdout ?? "").split("\n").filter(Boolean);
  }
}
