import type { Me } from "@/lib/auth/schema";

/** `settings` is the page where an admin acts. */
export type ShellNotice = { id: string; text: string; detail: string; settings?: string };

/** Notices about the server's state, the most urgent first. Only admins get the page where to act. */
export function noticesFor(me: Me): ShellNotice[] {
  const isAdmin = me.user.role === "admin";
  const isOffered = isAdmin && me.reviewers > 1;
  const isBare = me.isolation === "none";
  const all = [
    me.workersOnline === 0 && {
      id: "no-worker",
      text: "No worker is online",
      detail: "Runs wait until a worker connects.",
      settings: "/settings/workers",
    },
    me.workersOnline > 0 &&
      (isBare || me.isolation === "process") && {
        id: isBare ? "no-isolation" : "weak-isolation",
        text: "A worker has no sandbox",
        detail: isBare
          ? "Skills run on it only if an admin allows it."
          : "Its runs have their own user. Only safe skills run unless an admin allows more.",
        settings: "/settings/instance#isolation",
      },
    me.soloMode &&
      me.user.role !== "user" && {
        id: isOffered ? "solo-mode-offer" : "solo-mode",
        text: "Solo mode is on",
        detail: isOffered
          ? `${me.reviewers} people can review now: switch it off.`
          : "One person may import and approve the same skill.",
        settings: "/settings/instance#soloMode",
      },
  ];
  return all.flatMap((notice) => {
    if (notice === false) return [];
    const { settings, ...words } = notice;
    return [isAdmin ? notice : words];
  });
}
