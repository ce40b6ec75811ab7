import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import type { Published } from "./published";

/** What its owner advises, in sentences that end with a full stop; null for what is not deprecated. */
export function adviceAgainst({ deprecated }: Pick<Published, "deprecated">): string | null {
  if (deprecated === null) return null;
  const reason = /[.!?…]$/.test(deprecated.reason) ? deprecated.reason : `${deprecated.reason}.`;
  return `Deprecated: ${reason}${deprecated.useInstead === null ? "" : ` Use ${deprecated.useInstead} instead.`}`;
}

/** What clients show as its name: its label, capped, or its name. */
export function displayNameOf({ label, name }: Pick<Published["skill"], "label" | "name">): string {
  return label === null ? name : capLabel(label);
}

/** The description for clients that show nothing else of a skill, capped: advice against it stands before it. */
export function describePublished(published: Pick<Published, "deprecated" | "description">): string {
  const advice = adviceAgainst(published);
  return advice === null ? published.description : capDescription(`${advice} ${published.description}`, "units");
}
