import type { Caller } from "./call-api";
import { must } from "./publish-skill";

type Verification = { state: "running" | "done"; ok: boolean | null; firstBroken: unknown };

/** Has the server verify its whole audit; null when it holds, else what it says is wrong. */
export async function verifyServedAudit(caller: Caller): Promise<string | null> {
  for (;;) {
    // One that takes long is answered with how far it is; asking again waits for its end.
    const { state, ok, firstBroken } = await must<Verification>(caller, "GET", "/api/audit/verify");
    if (state === "done") return ok ? null : JSON.stringify(firstBroken);
  }
}
