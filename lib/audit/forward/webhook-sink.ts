import { createHmac } from "node:crypto";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import type { Sink } from "./sink";

const TIMEOUT_MS = 10_000;

/**
 * Posts events as `{"events": […]}`. With a secret, `X-Skillgate-Signature: t=<seconds>,v1=<hex>` holds the HMAC-SHA-256
 * under it of `<seconds>.<body>`. Any answer from 200 to 299 counts as taken; a redirect is not followed.
 */
export function webhookSink({ url, secret }: { url: string; secret: string | null }, now: () => Date): Sink {
  return {
    name: "webhook",
    send: async (events, signal) => {
      const body = JSON.stringify({ events });
      const seconds = Math.floor(now().getTime() / 1000);
      const signature = secret && createHmac("sha256", secret).update(`${seconds}.${body}`, "utf8").digest("hex");
      const response = await outgoingFetch("webhook")(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(signature ? { "x-skillgate-signature": `t=${seconds},v1=${signature}` } : {}),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (response.status < 200 || response.status > 299) throw new Error(`the webhook answered ${response.status}`);
    },
  };
}
