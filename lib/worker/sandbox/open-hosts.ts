import { type ChildProcess, spawn } from "node:child_process";
import { Server } from "node:net";
import type { EntryProcess } from "../launch/launcher";
import type { EmitEvent } from "../stream-stderr";
import { startBlocked } from "./blocked-sandbox";
import { type ProxyPolicy, serveHosts } from "./host-proxy";

/** In the run's own network, where no other program listens. */
const PORT = 3128;
const READY_MS = 10_000;

export const PROXY_ENV = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [
    name,
    `http://127.0.0.1:${PORT}`,
  ]),
);

/** Creates a listening socket in its own network and sends it to the worker; the socket stays in that network. */
const LISTEN = `
const server = require("node:net").createServer();
server.listen({ host: "0.0.0.0", port: ${PORT} }, () => process.send("listening", server, () => process.exit(0)));
`;

/**
 * Gives a blocked run a proxy inside its own network namespace, the only thing it can reach, and lets it start. `pid` is a
 * process in that namespace, if it is not the one that the sandbox reports. Connections are accepted there and made from
 * here; nothing of the worker runs inside. Throws RunFailure `spawn_failed`; the run then never starts.
 */
export function openHosts(
  child: EntryProcess,
  { nsenter, policy, emit, pid }: { nsenter: string; policy: ProxyPolicy; emit: EmitEvent; pid?: number },
): Promise<void> {
  return startBlocked(child, "The run could not be given a network with a proxy", async (inside) => {
    const proxy = serveHosts(await listenInside(nsenter, pid ?? inside), policy, emit);
    if (child.exitCode !== null || child.signalCode !== null) proxy.close();
    else child.once("exit", proxy.close);
  });
}

function listenInside(nsenter: string, pid: number): Promise<Server> {
  const helper = spawn(nsenter, [`--net=/proc/${pid}/ns/net`, "--", process.execPath, "-e", LISTEN], {
    env: {} as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise<Server>((resolve, reject) => {
    const timer = setTimeout(() => end(helper, reject, "the listener was not ready in time"), READY_MS);
    helper.once("error", (error) => end(helper, reject, error.message));
    helper.once("exit", () => end(helper, reject, "the listener ended early"));
    helper.once("message", (_message, handle) => {
      clearTimeout(timer);
      if (handle instanceof Server) resolve(handle);
      else end(helper, reject, "no socket was handed over");
    });
    helper.once("exit", () => clearTimeout(timer));
  });
}

function end(helper: ChildProcess, reject: (error: Error) => void, reason: string): void {
  helper.kill("SIGKILL");
  reject(new Error(reason));
}
