import { stringify } from "smol-toml";
import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { keepParsed } from "@/lib/core/json";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/settings";
import { readToml } from "@/lib/skill-format/frontmatter/read-toml";
import { isMapping } from "@/lib/skill-format/json-values";
import { readOverlay } from "@/lib/skill-format/manifest/read-sidecars";
import { type Overlay, SkillManifest } from "@/lib/skill-format/schema";
import { requireManagedSkill, type SkillRow } from "@/lib/skills/skill-access";
import { aboutOverlay, type OverlayRow, presentOverlay } from "./read-overlays";
import {
  MAX_DESCRIPTION,
  MAX_EXAMPLE_CHARS,
  MAX_EXAMPLES,
  type OverlayContent,
  OverlayEvidence,
  type OverlayExample,
  type SkillOverlay,
  type SubmitOverlayInput,
} from "./schema";

/** Limit of a 32-bit column. */
const MAX_COUNT = 2_147_483_647;

/** Submits an `optimized.toml` from another optimiser for review. */
export async function submitOverlay(ctx: Ctx, idOrName: string, input: SubmitOverlayInput): Promise<SkillOverlay> {
  return inTransaction(ctx, async (_tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const overlay = readOverlayToml(input.toml, [skill.name, skill.slug, skill.toolName]);
    const { digest, content } = contentOfSkill(skill);
    const row = await storeOverlay(txCtx, skill, digest, {
      state: "pending",
      optimizer: overlay.optimizer ?? "unnamed",
      optimizedAt: timeOf(overlay.optimizedAt) ?? ctx.now(),
      traceCount: Math.min(MAX_COUNT, Math.max(0, Math.trunc(overlay.traceCount ?? 0))),
      description: overlay.description,
      fewShot: overlay.fewShot,
      before: content,
      evidence: OverlayEvidence.parse({}),
      toml: input.toml,
    });
    return presentOverlay(txCtx, row, skill, await getSettings(txCtx));
  });
}

function timeOf(text: string | null): Date | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}

/**
 * Parses an `optimized.toml` (OpenJarvis, "SkillOverlay"). `invalid` when it is unreadable, empty, names another skill than
 * `names`, or exceeds a limit: 1,024 characters of description, 20 examples, 4,000 characters for each side of one.
 */
export function readOverlayToml(toml: string, names: string[]): Overlay {
  const { fields } = readOverlay({ bytes: new TextEncoder().encode(toml) });
  const { overlay } = fields;
  if (!overlay) throw refused("it is not TOML with a table [optimized]");
  const meant = nameIn(toml);
  if (meant !== null && !names.map(plain).includes(plain(meant))) {
    throw refused(`it was made for the skill “${meant.slice(0, 100)}”`);
  }
  if (overlay.description === null && overlay.fewShot.length === 0) {
    throw refused("it has neither a description nor examples");
  }
  if ((overlay.description ?? "").length > MAX_DESCRIPTION) {
    throw refused(`its description is longer than ${MAX_DESCRIPTION} characters`);
  }
  if (overlay.fewShot.length > MAX_EXAMPLES) throw refused(`it has more than ${MAX_EXAMPLES} examples`);
  const isOff = ({ input, output }: { input: string; output: string }) =>
    [input, output].some((text) => text.trim() === "" || text.length > MAX_EXAMPLE_CHARS);
  if (overlay.fewShot.some(isOff)) {
    throw refused(`an example is empty, or a side of it longer than ${MAX_EXAMPLE_CHARS} characters`);
  }
  return overlay;
}

function nameIn(toml: string): string | null {
  const read = readToml(toml);
  const values = read.ok ? (read.value.optimized ?? read.value) : null;
  const name = isMapping(values) ? values.skill_name : null;
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

/** Optimisers write names as folders or as tools. */
function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll("_", "-");
}

function refused(why: string): AppError {
  return new AppError("invalid", `The overlay is not accepted: ${why}.`, { errors: [{ path: "toml", message: why }] });
}

type NewOverlay = {
  state: "working" | "pending";
  optimizer: string;
  optimizedAt: Date;
  traceCount: number;
  description: string | null;
  fewShot: OverlayExample[];
  before: OverlayContent;
  evidence: OverlayEvidence;
  /** The submitted file; generated when absent. */
  toml?: string;
};

/** Stores a proposal for the active version, with its event. Needs an open transaction. */
export async function storeOverlay(
  ctx: Ctx,
  skill: SkillRow,
  digest: string,
  overlay: NewOverlay,
): Promise<OverlayRow> {
  const { tx } = ctx;
  if (!tx) throw new Error("an overlay is stored inside a transaction");
  const row = await tx.overlay.create({
    data: {
      id: newId(),
      skillId: skill.id,
      baseDigest: digest,
      ...{ state: overlay.state, optimizer: overlay.optimizer, optimizedAt: overlay.optimizedAt },
      ...{ traceCount: overlay.traceCount, description: overlay.description },
      fewShot: JSON.stringify(overlay.fewShot),
      before: JSON.stringify(overlay.before),
      evidence: JSON.stringify(overlay.evidence),
      toml: overlay.toml ?? writeOverlayToml({ ...overlay, skillName: skill.name }),
      createdAt: ctx.now(),
      createdById: isPerson(ctx.actor) ? ctx.actor.userId : null,
      createdByName: "name" in ctx.actor ? ctx.actor.name : "Skillgate",
    },
  });
  await recordEvent(tx, ctx, {
    action: "overlay.propose",
    ...aboutOverlay(row, skill),
    summary: `proposed an overlay for ${skill.name} (${overlay.optimizer}, ${overlay.traceCount} traces)`,
    data: { before: overlay.before, after: { description: overlay.description, fewShot: overlay.fewShot } },
  });
  return row;
}

/** The texts of the active version with its digest. `not_approved` without an active version. */
export function contentOfSkill(skill: SkillRow): { digest: string; content: OverlayContent } {
  if (!skill.current) {
    throw new AppError("not_approved", `“${skill.name}” has no approved version for an overlay.`);
  }
  const { description, overlay } = keepParsed(SkillManifest, skill.current.manifest);
  return { digest: skill.current.digest, content: { description, fewShot: overlay?.fewShot ?? [] } };
}

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
