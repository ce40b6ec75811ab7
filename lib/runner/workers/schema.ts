import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/versions/schema";

/** The skills of a worker. `serves`: the approved, current version consists of the bytes in that folder. */
export const Inventory = z.object({
  at: IsoTime.nullable(),
  skills: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(["builtin", "directory"]),
      skill: z.object({ id: z.string(), name: z.string(), enabled: z.boolean() }),
      scope: z.enum(["manager", "host"]),
      class: SkillClass,
      version: z.object({ digest: z.string(), number: z.number().int(), state: VersionState }),
      serves: z.boolean(),
    }),
  ),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type Inventory = z.infer<typeof Inventory>;
