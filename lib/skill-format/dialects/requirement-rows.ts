import type { DialectField } from "./dialect";

/** The rows for all that a mapping of requirements may hold, whichever dialect it is of. `at` is the mapping's path. */
export function requirementRows(at: string): DialectField[] {
  return [
    { from: `${at}.bins`, kind: "requirement", to: "bins" },
    { from: `${at}.anyBins`, kind: "requirement", to: "anyBins" },
    { from: `${at}.env`, kind: "requirement", to: "env" },
    { from: `${at}.os`, kind: "requirement", to: "os" },
    { from: `${at}.config`, kind: "requirement", to: "config" },
    { from: `${at}.capabilities`, kind: "capabilities", to: "capabilities" },
    { from: `${at}.credentials`, kind: "credentials", to: "credentials" },
  ];
}
