import { ShieldAlert } from "lucide-react";
import type { Trust } from "@/lib/skills/versions/schema";

const tiers: Record<Trust["tier"], string> = {
  bundled: "Bundled with the release",
  workspace: "Written or imported here",
  indexed: "From a catalog source",
  unreviewed: "Not reviewed",
};
const signatures: Record<Trust["signature"], string> = {
  verified: "signatures verified over every file",
  failed: "signatures do not hold",
  unsigned: "no signature that counts",
};

/** Where trust in a version comes from, and whether what was signed is what is stored. */
export function TrustWords({ trust }: { trust: Trust }) {
  if (trust.signature !== "failed") return <>{trustSentence(trust)}</>;
  return (
    <span className="flex items-start gap-1.5 font-medium text-danger">
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {trustSentence(trust)}
        {trust.problem ? <span className="block font-normal">{trust.problem}</span> : null}
      </span>
    </span>
  );
}

export function trustSentence({ tier, signature }: Trust): string {
  return `${tiers[tier]}; ${signatures[signature]}`;
}
