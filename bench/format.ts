import { parse } from "yaml";
import { readSkill } from "../lib/skill-format/read-skill";
import type { SkillFile } from "../lib/skill-format/skill-file";
import type { BenchOptions } from "./harness/bench-options";
import { round } from "./harness/measure";

const FILES = 500;
const ROUNDS = 15;
/** Rounds that only let the engine compile both. */
const WARM_UP = 4;

type Sample = { folder: string; files: SkillFile[]; block: string };

/**
 * The full reader of skills against bare YAML parsing of the same frontmatters, in turns in one process. The files are
 * generated, well-formed, and of the sizes that public skills have in the middle (7 KB, 350 characters of frontmatter).
 */
export async function benchFormat({ quick, json }: BenchOptions): Promise<void> {
  const samples = Array.from({ length: quick ? 50 : FILES }, (_, index) => createSample(index));
  const readers = {
    yaml: () => samples.forEach(({ block }) => void parse(block)),
    reader: () => samples.forEach(({ files, folder }) => void readSkill(files, { folder })),
  };
  const times: Record<keyof typeof readers, number[]> = { yaml: [], reader: [] };
  for (let index = 0; index < (quick ? 2 : ROUNDS) + WARM_UP; index += 1) {
    for (const name of ["yaml", "reader"] as const) {
      const ms = cpuMsOf(readers[name]);
      if (index >= WARM_UP) times[name].push(ms / samples.length);
    }
  }
  const yamlMs = medianOf(times.yaml);
  const readerMs = medianOf(times.reader);
  const ratio = round(readerMs / yamlMs);
  const perSecond = (ms: number) => Math.round(1000 / ms).toLocaleString("en-US");
  console.log(
    `format: full reader ${perSecond(readerMs)} files/s (${readerMs.toFixed(3)} ms), bare yaml ${perSecond(yamlMs)} files/s ` +
      `(${yamlMs.toFixed(3)} ms), ratio ${ratio} (aim: at most 1.5)`,
  );
  if (json) console.log(JSON.stringify({ bench: "format", node: process.version, quick, yamlMs, readerMs, ratio }));
}

/** Processor time of this process: other programs on the machine do not count. */
function cpuMsOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function medianOf(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
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
    ...(index % 4 === 1 ? ["metadata:", "  author: somebody", '  version: "2.1"'] : []),
    ...(index % 5 === 0 ? ["tags:", "  - work", "  - text", "user-invocable: true"] : []),
  ].join("\n");
  const paragraph = `Look at the ${topic} first, then say what is missing. Keep the order of the entries, and never guess a number.\n\n`;
  const body = `# ${name}\n\n${`## Step\n\n${paragraph}- one\n- two\n\n`.repeat(45)}`;
  const bytes = new TextEncoder().encode(`---\n${block}\n---\n${body}`);
  return { folder: name, files: [{ path: "SKILL.md", mode: "644", bytes }], block };
}
