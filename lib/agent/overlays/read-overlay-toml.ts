import { AppError } from "@/lib/core/errors";
import type { Overlay } from "@/lib/skill-format/manifest-parts";
import { readOverlay } from "@/lib/skill-format/read-overlay";
import { readToml } from "@/lib/skill-format/read-toml";
import { isMapping } from "@/lib/skill-format/take-fields";
import { MAX_DESCRIPTION, MAX_EXAMPLE_CHARS, MAX_EXAMPLES } from "./schema";

/**
 * The overlay in an `optimized.toml` (OpenJarvis, "SkillOverlay"). `invalid` when it cannot be read, says nothing, or goes
 * past a limit: 1,024 characters of description, 20 examples, 4,000 characters for each side of one. `names`: those of the
 * skill it is meant for; one that names another skill is refused too.
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
  return new AppError("invalid", `The overlay cannot be taken: ${why}.`, { errors: [{ path: "toml", message: why }] });
}
