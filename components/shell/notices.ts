import type { Me } from "@/lib/client/me";

export type ShellNotice = { id: string; text: string; detail: string };

/** What a person must know of the server's state, the most pressing first. */
export function noticesFor(me: Me): ShellNotice[] {
  const notices: ShellNotice[] = [];
  if (me.workersOnline === 0) {
    notices.push({ id: "no-worker", text: "No worker is online", detail: "Runs wait until one connects." });
  }
  if (me.workersOnline > 0 && me.isolation === "none") {
    notices.push({
      id: "no-isolation",
      text: "A worker has no sandbox",
      detail: "Nothing runs on it unless an admin allows that under Settings, This server.",
    });
  }
  if (me.workersOnline > 0 && me.isolation === "process") {
    notices.push({
      id: "weak-isolation",
      text: "A worker has no sandbox",
      detail:
        "Its runs have a user of their own; only safe ones start unless an admin allows more under Settings, This server.",
    });
  }
  if (me.soloMode && me.user.role !== "user") {
    const isOffered = me.user.role === "admin" && me.reviewers > 1;
    notices.push({
      id: isOffered ? "solo-mode-offer" : "solo-mode",
      text: "Solo mode is on",
      detail: isOffered
        ? `${me.reviewers} people can review now: turn it off under Settings, This server.`
        : "One person may import and approve the same skill.",
    });
  }
  return notices;
}
