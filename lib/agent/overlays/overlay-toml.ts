import { stringify } from "smol-toml";
import type { OverlayExample } from "./schema";

type OverlayFile = {
  skillName: string;
  optimizer: string;
  optimizedAt: Date;
  traceCount: number;
  description: string | null;
  fewShot: OverlayExample[];
};

/** Writes `optimized.toml` in the format of OpenJarvis ("SkillOverlay"). */
export function writeOverlayToml(overlay: OverlayFile): string {
  const { skillName, optimizer, optimizedAt, traceCount, description, fewShot } = overlay;
  return stringify({
    optimized: {
      skill_name: skillName,
      optimizer,
      optimized_at: optimizedAt.toISOString(),
      trace_count: traceCount,
      ...(description === null ? {} : { description }),
      few_shot: fewShot,
    },
  });
}
