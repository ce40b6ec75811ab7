import { isReservedMarketplace } from "@/lib/policy/marketplace-name";
import type { DoorViewer } from "../viewer-of";

const MAX_NAME = 100;

/**
 * What a client calls the marketplace of a scope. A client has one marketplace of a name, so each scope has its own; and
 * none that a client keeps for its maker.
 */
export function nameMarketplace(base: string, { scope, base: below }: Pick<DoorViewer, "scope" | "base">): string {
  const words = [base, ...wordsOf(scope, below !== "")].join("-");
  const name = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return isReservedMarketplace(name) ? `skillgate-${name}` : name;
}

function wordsOf(scope: DoorViewer["scope"], isCapability: boolean): string[] {
  if (isCapability) return ["private"];
  if (scope.kind === "skill") return [scope.publisher, scope.name];
  if (scope.kind === "publisher") return [scope.handle];
  return scope.kind === "collection" ? [scope.slug] : [];
}
