import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Settings } from "@/lib/settings/schema";
import type { SkillClass } from "@/lib/skill-format/schema";
import { findSop } from "./present-sop";

/** The id of the procedure a run names, once its signature was verified; `invalid` when one is needed and none is named. */
export async function requireNamedSop(
  ctx: Ctx,
  run: { class: SkillClass; sop: string | undefined; settings: Pick<Settings, "dangerousNeedsSop"> },
): Promise<string | null> {
  if (run.sop === undefined) {
    if (run.class !== "dangerous" || !run.settings.dangerousNeedsSop) return null;
    throw invalid("has to name a signed standard operating procedure, since the run is dangerous");
  }
  const sop = await findSop(ctx, run.sop);
  if (sop?.valid !== true) throw invalid("must be the id of a procedure whose signature verifies");
  return sop.id;
}

function invalid(message: string): AppError {
  return new AppError("invalid", `The run cannot start: sop ${message}.`, {
    errors: [{ path: "sop", message }],
    rule: "dangerous-needs-sop",
  });
}
