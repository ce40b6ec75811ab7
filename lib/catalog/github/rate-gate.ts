import { processStore } from "@/lib/core/process-store";
import { SyncFailure } from "../sync-failure";

const MINUTE_MS = 60_000;
/** Requests a minute after GitHub said that there are none left: enough to notice that it has changed its mind. */
const MAX_PROBES = 2;

/** Remembers, for all syncs of this process, until when GitHub wants to be left alone. */
export type RateGate = {
  /** Throws `rate_limited` when another request now would be hammering. */
  pass(now: Date): void;
  limitUntil(until: Date): void;
  open(): void;
};

export function createRateGate(): RateGate {
  let limitedUntil: Date | null = null;
  let probes: number[] = [];
  return {
    pass: (now) => {
      if (limitedUntil === null || limitedUntil <= now) return;
      probes = probes.filter((at) => at > now.getTime() - MINUTE_MS);
      if (probes.length >= MAX_PROBES) {
        throw new SyncFailure("rate_limited", `GitHub’s rate limit is used up until ${limitedUntil.toISOString()}.`, {
          retryAt: limitedUntil,
        });
      }
      probes.push(now.getTime());
    },
    limitUntil: (until) => {
      limitedUntil = until;
    },
    open: () => {
      limitedUntil = null;
    },
  };
}

/** The gate of one GitHub host. */
export function rateGateOf(apiUrl: string): RateGate {
  return processStore(`github-rate-gate.${apiUrl}`, createRateGate);
}
