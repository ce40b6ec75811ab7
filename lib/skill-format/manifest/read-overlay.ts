import { decodeText } from "@/lib/skill-format/archive/is-text";
import { MAX_SKILL_JSON_BYTES } from "@/lib/skill-format/archive/limits";
import { isMapping } from "@/lib/skill-format/dialects/take-fields";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { Overlay } from "./manifest-parts";
import { readToml } from "./read-toml";
import type { SkillPart } from "./skill-part";

const PATH = "optimized.toml";
const MAX_EXAMPLES = 100;

/**
 * What an optimiser wrote beside a skill (OpenJarvis, "SkillOverlay"): a description that takes the place of the skill's own,
 * and examples. A file that cannot be read is a warning and changes nothing.
 */
export function readOverlay(file: { bytes: Uint8Array }): SkillPart {
  const text = file.bytes.length > MAX_SKILL_JSON_BYTES ? null : decodeText(file.bytes);
  const toml = text === null ? null : readToml(text);
  const values = toml?.ok === true ? (toml.value.optimized ?? toml.value) : null;
  if (!isMapping(values)) {
    const message = "The overlay cannot be read and is not used.";
    return {
      fields: {},
      meta: {},
      diagnostics: [{ code: "overlay_unreadable", severity: "warning", path: PATH, message }],
    };
  }
  const textOf = (key: string) => (typeof values[key] === "string" && values[key] !== "" ? values[key] : null);
  const overlay: Overlay = {
    optimizer: textOf("optimizer"),
    optimizedAt: textOf("optimized_at"),
    traceCount: typeof values.trace_count === "number" ? values.trace_count : null,
    description: textOf("description"),
    fewShot: readExamples(values.few_shot),
  };
  const diagnostics: Diagnostic[] = [];
  if (overlay.description !== null) {
    const message = "The description comes from optimized.toml, not from the skill's author.";
    diagnostics.push({ code: "overlay_applied", severity: "info", path: PATH, message });
  }
  const description = overlay.description === null ? {} : { description: overlay.description };
  return { fields: { overlay, ...description }, meta: {}, diagnostics };
}

function readExamples(value: unknown): Overlay["fewShot"] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, MAX_EXAMPLES) : [];
  return items.flatMap((item) =>
    isMapping(item) && typeof item.input === "string" && typeof item.output === "string"
      ? [{ input: item.input, output: item.output }]
      : [],
  );
}
