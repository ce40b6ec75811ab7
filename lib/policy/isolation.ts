import { z } from "zod";
import type { SkillClass } from "@/lib/skill-format/schema";

/** Weakest first: none; own user id with limits; namespaces by system programs; bubblewrap with a syscall filter. */
export const Isolation = z.enum(["none", "process", "namespaces", "sandbox"]);
export type Isolation = z.infer<typeof Isolation>;

const ENOUGH: Record<Isolation, Record<SkillClass, boolean>> = {
  none: { safe: false, mutating: false, dangerous: false },
  process: { safe: true, mutating: false, dangerous: false },
  namespaces: { safe: true, mutating: true, dangerous: true },
  sandbox: { safe: true, mutating: true, dangerous: true },
};

/** Whether runs of a class may use such a worker without a setting that allows it. */
export function isIsolatedEnough(isolation: Isolation, skillClass: SkillClass): boolean {
  return ENOUGH[isolation][skillClass];
}

/** The weakest of several levels; `none` for an empty list. */
export function weakestIsolation(several: Isolation[]): Isolation {
  return Isolation.options.find((level) => several.includes(level)) ?? "none";
}
