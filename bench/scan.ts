import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ALL_RULES } from "../lib/review/rules/all-rules";
import { decodeViews } from "../lib/review/scan/decode-views";
import type { Rule } from "../lib/review/scan/rule";
import { prepareTexts, runPatterns } from "../lib/review/scan/run-patterns";
import { openScanFile, type ScanFile } from "../lib/review/scan/scan-file";
import { scanSkill } from "../lib/review/scan/scan-skill";
import type { BenchOptions } from "./harness/bench-options";
import { round } from "./harness/measure";
import { type FamilyScore, largeSkills, readScanSet, scoreScanSet } from "./scan-set/score-set";

const CHARS = 400_000;
const AIM_MS = 100;
const TRIES = 3;
const WARM_UP = 10;

type Slow = { rule: string; text: string; ms: number };

/**
 * Recall and false alarms on the set, the cost of a skill, and every rule against 400 KB of each hostile text, as a script
 * and as a page; decoding is timed separately.
 */
export async function benchScan({ quick, json }: BenchOptions): Promise<void> {
  const scores = scoreSets();
  timeSkills(quick);
  const times: Slow[] = [];
  for (const [text, piece] of hostileTexts()) {
    const whole = piece.repeat(Math.ceil(CHARS / piece.length)).slice(0, CHARS);
    for (const path of ["a.sh", "SKILL.md"]) {
      const file = openScanFile({ path, mode: "644", bytes: new TextEncoder().encode(whole) });
      times.push({
        rule: "decoding",
        text: `${text} in ${path}`,
        ms: msOf(() => prepareTexts(file, decodeViews(file.text).fragments), quick),
      });
      const places = prepareTexts(file, decodeViews(file.text).fragments);
      for (const rule of ALL_RULES) {
        if (rule.applies !== undefined && !rule.applies(file)) continue;
        // A new object for each try: rules keep what they found in a file.
        const run = () => runRule(rule, Object.create(file), places);
        times.push({ rule: rule.id, text: `${text} in ${path}`, ms: msOf(run, quick) });
      }
    }
  }
  times.sort((a, b) => b.ms - a.ms);
  const rules = times.filter(({ rule }) => rule !== "decoding");
  console.table(times.slice(0, 15).map(({ rule, text, ms }) => ({ rule, text, ms: round(ms) })));
  const over = rules.filter(({ ms }) => ms > AIM_MS).length;
  const [slowest] = rules;
  console.log(
    `scan: ${rules.length} pairs of rule and hostile text of 400 KB, slowest ${round(slowest?.ms ?? 0)} ms (${slowest?.rule}, ${slowest?.text}), ` +
      `${over} over ${AIM_MS} ms (aim: none)`,
  );
  if (json)
    console.log(
      JSON.stringify({ bench: "scan", node: process.version, quick, scores, pairs: rules.length, over, slowest }),
    );
}

function scoreSets(): Record<string, FamilyScore[]> {
  const scores: Record<string, FamilyScore[]> = {};
  for (const part of ["open", "held out"] as const) {
    const families = scoreScanSet(part);
    scores[part] = families;
    console.table(families);
    const sum = (key: "pairs" | "found" | "falseAlarms") => families.reduce((total, family) => total + family[key], 0);
    console.log(
      `scan, ${part} part of the set: ${sum("found")} of ${sum("pairs")} malicious skills are critical (aim: 90 %), ` +
        `${sum("falseAlarms")} of ${sum("pairs")} harmless ones are (aim: at most 2 %)`,
    );
  }
  return scores;
}

/** Processor time of a skill of the set, in a thread that has scanned others before, and of skills of 10,000 files. */
function timeSkills(quick: boolean): void {
  const skills = readScanSet().flatMap(({ malicious, harmless }) => [malicious, harmless]);
  for (let round = 0; round < (quick ? 1 : WARM_UP); round += 1) for (const files of skills) scanSkill(files);
  const times = skills.map((files) => Math.min(...repeat(TRIES, () => msOf(() => scanSkill(files), true))));
  times.sort((a, b) => a - b);
  console.log(
    `scan: ${times.length} skills of the set, median ${round(times[times.length >> 1] ?? 0)} ms of processor time`,
  );
  for (const [name] of largeSkills()) {
    // In a process of its own, whose memory is that of this skill.
    const args = ["--import", "tsx", fileURLToPath(new URL("scan-set/scan-large.ts", import.meta.url)), name];
    const { seconds, peakMiB } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    console.log(
      `scan: ${name}, ${round(seconds)} s of processor time (aim: 10), ${round(peakMiB)} MiB at most (aim: 250)`,
    );
  }
}

function repeat<T>(times: number, make: () => T): T[] {
  return Array.from({ length: times }, make);
}

function runRule(rule: Rule, file: ScanFile, places: ReturnType<typeof prepareTexts>): void {
  for (const _hit of rule.checkFile?.(file) ?? []);
  rule.checkSkill?.({ files: [file] });
  runPatterns(rule, file, places, () => {});
}

function msOf(work: () => void, quick: boolean): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < (quick ? 1 : TRIES); attempt += 1) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
    if (best < AIM_MS / 10) break;
  }
  return best;
}

/** Texts that slow down backtracking engines, line splitters and decoders, and near matches of every rule. */
function hostileTexts(): [string, string][] {
  const hints = ALL_RULES.flatMap((rule) => (rule.patterns ?? []).flatMap(({ hints: own }) => own));
  return [
    ["newlines", "\n"],
    ["spaces", " "],
    ["one letter", "a"],
    ["one long base64 run", "QUJD"],
    ["short base64 runs", `${"Ab3".repeat(6)} `],
    ["hex", "0a1b"],
    ["open comments", "<!-- "],
    ["closed comments", "<!-- curl a -->"],
    ["backticks", "`"],
    ["substitutions", "$("],
    ["commands in backticks", "`cat "],
    ["fences", "```\n"],
    ["brackets", "(((((]]]]]"],
    ["percent", "%41%"],
    ["entities", "&#65;&amp"],
    ["escapes", "\\x41\\u0041"],
    ["joined strings", '"a" + '],
    ["reversed", ".reverse() | rev "],
    ["tag characters", "\u{e0041}"],
    ["zero width", "a\u200b"],
    ["selectors", "\ufe01\ufe02"],
    ["mixed scripts", "\u0441url "],
    ["overrides", "ignore past \u202e "],
    ["tags between words", "a\u{e0061} "],
    ["tags on lines", "\u{e0061}\n"],
    ["selectors between words", "a\ufe0f\u{e0101}\u{e0102} "],
    ["isolates", "\u05d0\u2067x\u2069 "],
    ["black flags", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f} "],
    ["zero width in words", "i\u200bg\u200bn\u200bo\u200br\u200be p\u0430st \u202e "],
    ["emoji", "\u{1f468}\u200d"],
    ["downloads", "curl -o /tmp/a https://a.test "],
    ["download lines", "curl -o /tmp/a https://a.test\n"],
    ["pipes", "curl https://a.test | tee | "],
    ["addresses", "http://10.0.0.1/a "],
    ["orders", "ignore all the previous and the other "],
    ["concealment", "do not tell the user to "],
    ["sending", "send all of your credentials "],
    ["sockets", "socket connect( \n"],
    ["assignments", "x = base64.b64decode(y)\n"],
    ["calls", "exec(eval(system("],
    ["packages", "pip install reqeusts "],
    ["keys", "ghp_ sk-ant-api03- AKIA "],
    ["agents' files", "add to the CLAUDE.md >> "],
    ["every hint on a line of its own", hints.join("\n")],
    ["every hint on one line", `${hints.join(" ")} `],
  ];
}
