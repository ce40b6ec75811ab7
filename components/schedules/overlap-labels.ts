import type { Overlap } from "@/lib/client/schedules";

export const overlapWords: Record<Overlap, string> = {
  skip: "Leave it out",
  queue: "Wait for it to end",
  cancel_previous: "Cancel it and start anew",
};

export const overlapShort: Record<Overlap, string> = {
  skip: "Leaves out",
  queue: "Waits",
  cancel_previous: "Cancels",
};
