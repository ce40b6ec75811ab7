import { z } from "zod";
import type { SkillClass } from "@/lib/skill-format/schema";

/**
 * What keeps runs apart on a worker, weakest first: nothing; a user id of their own and limits; namespaces too (processes,
 * network, files), built with the system's own programs; bubblewrap with a system call filter where there is one.
 */
export const Isolation = z.enum(["none", "process", "namespaces", "sandbox"]);
export type Isolation = z.infer<typeof Isolation>;

const ENOUGH: Record<Isolation, Record<SkillClass, boolean>> = {
  none: { safe: false, mutating: false, dangerous: false },
  process: { safe: true, mutating: false, dangerous: false },
  namespaces: { safe: true, mutating: true, dangerous: true },
  sandbox: { safe: true, mutating: true, dangerous: true },
};

/** Whether runs of a class may be on such a worker without any admin having allowed it. */
export function isIsolatedEnough(isolation: Isolation, skillClass: SkillClass): boolean {
  return ENOUGH[isolation][skillClass];
}

/** The weakest of several; `none` when there are none. */
export function weakestIsolation(several: Isolation[]): Isolation {
  return Isolation.options.find((level) => several.includes(level)) ?? "none";
}
