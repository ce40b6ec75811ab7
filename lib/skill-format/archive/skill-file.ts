/** One file of a skill: `path` is relative with `/`, NFC and checked by `safePath`; `mode` keeps only the executable bit. */
export type SkillFile = { path: string; mode: "644" | "755"; bytes: Uint8Array };
