import type { Run } from "@/lib/client/runs";

/** What kept a run from its host, in plain words. */
export function isolationWords(isolation: Run["isolation"]): string {
  switch (isolation) {
    case "sandbox":
      return "In a sandbox";
    case "namespaces":
      return "In namespaces of its own, without bubblewrap";
    case "process":
      return "As a separate user, not in a sandbox";
    default:
      return "Not isolated from its host";
  }
}
