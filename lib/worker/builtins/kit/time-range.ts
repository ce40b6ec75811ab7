import { BuiltinError } from "./builtin";

/** Parses RFC 3339, Unix seconds, or a duration ago such as `15m`, into seconds. Throws BuiltinError for anything else. */
export function readMoment(text: string, name: string, now = Date.now()): number {
  const ago = /^(\d{1,6})([smhd])$/.exec(text.trim());
  if (ago) return now / 1000 - Number(ago[1]) * { s: 1, m: 60, h: 3600, d: 86_400 }[ago[2] as "s" | "m" | "h" | "d"];
  if (/^\d{1,11}(\.\d+)?$/.test(text.trim())) return Number(text);
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new BuiltinError(
      `“${name}” is not a time: write 2026-01-31T12:00:00Z, Unix seconds, or 6h for six hours ago.`,
    );
  return at / 1000;
}
