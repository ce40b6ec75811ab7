import { openCaller } from "./call-api";
import { must } from "./publish-skill";
import { prepareKillable } from "./start-killable";

const NO_LIMITS = { requestsPerMinute: 1_000_000, runsPerMinute: 1_000_000 };
const WITHOUT_SANDBOX = { safeWithoutSandbox: true, mutatingWithoutSandbox: true, dangerousWithoutSandbox: true };

type Isolation = "none" | "process" | "sandbox";
export type Product = {
  url: string;
  token: string;
  folder: string;
  isolation: Isolation;
  hasWarmStarts: boolean;
  pids: { web: number; worker: number };
  stop(): Promise<void>;
};

type Wanted = { sandbox?: "auto" | "off"; warmStarts?: boolean };

/** Starts the built server and one worker like the launcher, and lets it run even without a sandbox. */
export async function startProduct({ sandbox = "auto", warmStarts = false }: Wanted = {}): Promise<Product> {
  const product = await prepareKillable({ database: null, workerEnv: { SKILLGATE_WORKER_SANDBOX: sandbox } });
  const { url, token, folder, stop } = product;
  try {
    await product.start();
    const worker = await product.whenWorking();
    return { url, token, folder, stop, pids: { web: product.webPid(), worker }, ...(await settle(url, token)) };
  } catch (error) {
    await stop();
    throw error;
  }

  async function settle(address: string, secret: string) {
    const caller = openCaller(address, secret);
    try {
      const { values } = await must<{ values: Record<string, unknown> }>(caller, "GET", "/api/admin/settings");
      const wanted = { ...NO_LIMITS, ...(sandbox === "off" ? WITHOUT_SANDBOX : {}), warmStarts };
      const patch = Object.entries(wanted).filter(([key, value]) => key in values && values[key] !== value);
      if (patch.length > 0) await must(caller, "PATCH", "/api/admin/settings", Object.fromEntries(patch));
      const { isolation } = await must<{ isolation: Isolation }>(caller, "GET", "/api/me");
      return { isolation, hasWarmStarts: "warmStarts" in values };
    } finally {
      caller.close();
    }
  }
}
