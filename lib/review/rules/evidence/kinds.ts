import type { ScanFile } from "../../scan/scan-file";

export const isProse = (file: ScanFile) => file.kind === "prose";
/** Where somebody, person or agent, may read a command and run it. */
export const isRead = (file: ScanFile) => file.kind !== "binary" && file.kind !== "data";
export const isSkillMd = (file: ScanFile) => file.name === "skill.md";
