const acronyms = new Map(
  "API ASCII CC BCC CI CPU CSS CSV DNS GPU GUID HTML HTTP HTTPS ID IDs IP IPv4 IPv6 JSON JWT LLM MCP MD5 MIME OAuth OS PDF PIN PR RAM RFC SDK SHA SMS SMTP SQL SSH SSL SVG TCP TLS TTL TTS UDP UI UID URI URIs URL URLs UTC UTF UUID VM XML YAML ZIP"
    .split(" ")
    .map((word) => [word.toLowerCase(), word]),
);

const units = new Set(["ms", "seconds", "minutes", "hours", "days", "bytes", "percent"]);

/**
 * A key of a schema as a label: `repo_path` → "Repo path", `photoUrls` → "Photo URLs", `timeout_ms` → "Timeout (ms)". Texts
 * with spaces stay.
 */
export function titleOfKey(key: string): string {
  if (/\s/.test(key.trim())) return key;
  const words = key
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_.-]+/)
    .filter(Boolean);
  const labels = words.map((word) => acronyms.get(word.toLowerCase()) ?? word.toLowerCase());
  const unit = labels.length > 1 && units.has(labels.at(-1) ?? "") ? ` (${labels.pop()})` : "";
  const text = labels.join(" ") + unit;
  return text === "" ? key : text.slice(0, 1).toUpperCase() + text.slice(1);
}

const words = /^[a-z]{3,}([_ -][a-z]+)*$|^[A-Z]+(_[A-Z]+)+$/;
const capitals = /^[A-Z]{4,}$/;

/** A value of a list of choices as a label: `not_planned` → "Not planned". Codes such as `US`, `HEAD` or `utf-8` stay. */
export function labelOfValue(value: unknown): string {
  if (value === "") return "Empty text";
  if (typeof value !== "string") return JSON.stringify(value);
  return words.test(value) ? titleOfKey(value.replaceAll(" ", "_")) : value;
}

/**
 * Labels of all choices. A word in capitals is one like the others when those are (`CREATED_AT`, `COMMENTS`). Values that
 * would share a label stay as they are.
 */
export function choiceLabels(values: readonly unknown[]): string[] {
  const areNames = values.some((value) => typeof value === "string" && /^[A-Z]+(_[A-Z]+)+$/.test(value));
  const labels = values.map((value) => {
    return areNames && typeof value === "string" && capitals.test(value) ? titleOfKey(value) : labelOfValue(value);
  });
  const areDistinct = new Set(labels).size === labels.length;
  return areDistinct ? labels : values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
}
