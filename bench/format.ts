import { parse } from "yaml";
import type { SkillFile } from "../lib/skill-format/archive/skill-file";
import { readSkill } from "../lib/skill-format/manifest/read-skill";
import type { BenchOptions } from "./harness/bench-options";
import { round } from "./harness/measure";

const FILES = 500;
/** Files that one reader reads before it is the other's turn: few enough to fit between the time slices of other programs. */
const BLOCK = 25;
const ROUNDS = 30;
const WARM_UP = 5;

type Sample = { folder: string; files: SkillFile[]; block: string };

/**
 * The full skill reader against plain YAML parsing of the same frontmatters, in turns in one process. The files are
 * generated, well-formed, and of the median size of public skills (7 KB, 350 characters of frontmatter).
 */
export async function benchFormat({ quick, json }: BenchOptions): Promise<void> {
  const samples = Array.from({ length: quick ? BLOCK : FILES }, (_, index) => createSample(index));
  const yaml: number[] = [];
  const reader: number[] = [];
  for (let turn = 0; turn < (quick ? 2 : ROUNDS) + WARM_UP; turn += 1) {
    for (let at = 0; at < samples.length; at += BLOCK) {
      const block = samples.slice(at, at + BLOCK);
      const yamlMs = msOf(() => block.forEach((sample) => void parse(sample.block)));
      const readerMs = msOf(() => block.forEach(({ files, folder }) => void readSkill(files, { folder })));
      if (turn < WARM_UP) continue;
      yaml.push(yamlMs / block.length);
      reader.push(readerMs / block.length);
    }
  }
  // Under other load, the slower half of the blocks measures that load.
  const yamlMs = quartileOf(yaml);
  const readerMs = quartileOf(reader);
  const ratio = round(readerMs / yamlMs);
  // Means include pauses of the garbage collector and other load.
  const meanRatio = round(sumOf(reader) / sumOf(yaml));
  const perSecond = (ms: number) => Math.round(1000 / ms).toLocaleString("en-US");
  console.log(
    `format: full reader ${perSecond(readerMs)} files/s (${readerMs.toFixed(3)} ms), bare yaml ${perSecond(yamlMs)} files/s ` +
      `(${yamlMs.toFixed(3)} ms), ratio ${ratio} of lower quartiles, ${meanRatio} of means (aim: at most 1.5)`,
  );
  if (json)
    console.log(JSON.stringify({ bench: "format", node: process.version, quick, yamlMs, readerMs, ratio, meanRatio }));
}

function msOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function quartileOf(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}

const TOPICS = ["invoices", "pull requests", "release notes", "spreadsheets", "log files", "translations", "diagrams"];

function createSample(index: number): Sample {
  const topic = TOPICS[index % TOPICS.length] ?? "files";
  const name = `${topic.replaceAll(" ", "-")}-${index}`;
  const description = `Reads, checks and rewrites ${topic} in the way this team has agreed on, with examples. Use when the user asks for ${topic}, mentions a file of that kind, or wants the ones from last week compared.`;
  const block = [
    `name: ${name}`,
    index % 3 === 0 ? `description: >-\n  ${description}` : `description: "${description}"`,
    ...(index % 2 === 0 ? ["license: MIT", `allowed-tools: Bash(git diff:*) Read Grep`] : ["version: 1.10"]),
    ...(index % 4 === 0 ? [`metadata: {"openclaw": {"emoji": "x", "requires": {"bins": ["git", "jq"]}}}`] : []),
    ...(index % 4 === 1 ? ["metadata:", "  author: example", '  version: "2.1"'] : []),
    ...(index % 5 === 0 ? ["tags:", "  - work", "  - text", "user-invocable: true"] : []),
  ].join("\n");
  const paragraph = `Look at the ${topic} first, then say what is missing. Keep the order of the entries, and never guess a number.\n\n`;
  const body = `# ${name}\n\n${`## Step\n\n${paragraph}- one\n- two\n\n`.repeat(45)}`;
  const bytes = new TextEncoder().encode(`---\n${block}\n---\n${body}`);
  return { folder: name, files: [{ path: "SKILL.md", mode: "644", bytes }], block };
}
