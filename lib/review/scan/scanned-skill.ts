import type { Finding } from "./schema";

/** One skill in the output of `npm run scan -- FOLDER --json`. */
export type ScannedSkill = { skill: string; findings: Pick<Finding, "rule" | "severity" | "path" | "line" | "text">[] };
