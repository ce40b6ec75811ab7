import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawInstance } from "@/lib/distribution/clawhub/answers";
import { publicAddress } from "@/lib/distribution/public-address";
import { route } from "@/lib/http/route";

/** The client appends `/api/v1/…` itself. */
export const addresses = ["/.well-known/clawhub.json", "/.well-known/clawdhub.json"];

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  summary: "Location of this instance’s ClawHub API",
  answer: ClawInstance,
  handle: (asked) => {
    const base = publicAddress("");
    return answerClaw(asked, async () => ({ apiBase: base, authBase: base, minCliVersion: "0.1.0" }));
  },
});
