import type { Caller } from "./call-api";
import { must } from "./publish-skill";

type Verification = { state: "running" | "done"; ok: boolean | null; firstBroken: unknown };

/** Lets the server verify its whole audit; null when it is valid, else the server's explanation. */
export async function verifyServedAudit(caller: Caller): Promise<string | null> {
  for (;;) {
    // A long verification answers with its progress; the next request waits for its end.
    const { state, ok, firstBroken } = await must<Verification>(caller, "GET", "/api/audit/verify");
    if (state === "done") return ok ? null : JSON.stringify(firstBroken);
  }
}

export async function newestEvent(caller: Caller): Promise<number> {
  return (await must<{ items: { seq: number }[] }>(caller, "GET", "/api/audit?limit=1")).items[0]?.seq ?? 0;
}
