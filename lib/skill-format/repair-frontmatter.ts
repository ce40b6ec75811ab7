/** A repair of text that is not valid YAML: the repaired block, or null when it has nothing to do. `code` is reported. */
export type Repair = { code: string; message: string; apply(block: string): string | null };

/** Tried in this order, each on the result of the one before, and only after the block failed to parse. */
export const REPAIRS: readonly Repair[] = [
  {
    code: "repaired_unquoted_colon",
    message: 'A value with ": " in it was not quoted; it was read as plain text.',
    apply: quoteColonValues,
  },
];

const TOP_LEVEL = /^([A-Za-z_][\w-]*):[ \t]+(\S.*)$/;
// A value that begins with one of these is something else than a plain scalar (YAML 1.2.2, section 7.3.3).
const INDICATOR = /^[[\]{}"'|>&*!%@`#,]/;

function quoteColonValues(block: string): string | null {
  const lines = block.split("\n");
  const repaired = lines.map((line, index) => {
    const [, key, value = ""] = TOP_LEVEL.exec(line) ?? [];
    const continues = /^[ \t]+\S/.test(lines[index + 1] ?? "");
    const hasColon = value.includes(": ") || value.trimEnd().endsWith(":");
    if (key === undefined || continues || !hasColon || INDICATOR.test(value)) return line;
    return `${key}: '${value.trimEnd().replaceAll("'", "''")}'`;
  });
  return repaired.every((line, index) => line === lines[index]) ? null : repaired.join("\n");
}
