import { scanSkill } from "@/lib/review/scan/scan-skill";
import { largeSkills } from "./score-set";

/** Scans one skill of 10,000 files, named by the first argument, in this process alone; prints seconds and peak MiB as JSON. */
const files = new Map(largeSkills()).get(process.argv[2] ?? "");
if (files === undefined) throw new Error("There is no large skill of that name.");
const start = process.cpuUsage();
scanSkill(files);
const { user, system } = process.cpuUsage(start);
console.log(JSON.stringify({ seconds: (user + system) / 1_000_000, peakMiB: process.resourceUsage().maxRSS / 1_024 }));
