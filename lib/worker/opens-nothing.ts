import type { Lease } from "./protocol";

/** Whether a run has nothing but its sandbox: no grant, credential or workspace comes with it. */
export function opensNothing({
  terms,
  secrets = [],
  workspace,
}: Pick<Lease, "terms" | "secrets" | "workspace">): boolean {
  const opened = [terms.hosts, terms.paths, terms.namespaces, terms.capabilities, secrets];
  return !terms.network && !workspace && opened.every((list) => list.length === 0);
}
