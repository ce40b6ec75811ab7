const TOPICS =
  "invoice report github review pull-request table pdf form merge deploy kubernetes cluster log error trace metric sql query design figma slide translation email calendar meeting note python react typescript docker terraform audit security secret scan release changelog test browser scraper image video audio research paper citation budget forecast contract policy onboarding".split(
    " ",
  );
const VERBS = "Reads Writes Checks Compares Explains Plans Extracts Converts Summarises Reviews Collects Cleans".split(
  " ",
);
const OBJECTS =
  "files folders comments tables charts records tickets branches pages messages dashboards schedules drafts numbers sources".split(
    " ",
  );
const TOOLS = ["Bash(git:*)", "Read", "Write", "WebFetch", "Grep", "Edit"];
const LICENSES = ["MIT", "Apache-2.0", "Proprietary. LICENSE.txt has complete terms"];

/** Files of a repository with this many skills, in sizes and shapes of public ones; the same for the same numbers. */
export function generateRepository(number: number, skills: number): Record<string, string | { executable: string }> {
  const files: Record<string, string | { executable: string }> = { "README.md": `# Repository ${number}\n` };
  for (let index = 0; index < skills; index += 1) {
    const seed = number * skills + index;
    const pick = <T>(list: readonly T[], salt: number): T => list[mix(seed, salt) % list.length] as T;
    const name = `${pick(TOPICS, 1)}-${pick(TOPICS, 2)}-${seed}`;
    const folder = `skills/${pick(TOPICS, 3)}/${name}`;
    const description = [1, 2, 3]
      .map(
        (part) =>
          `${pick(VERBS, part * 7)} ${pick(TOPICS, part * 11)} ${pick(OBJECTS, part * 13)} for ${pick(TOPICS, part * 17)}.`,
      )
      .join(" ");
    const frontmatter = [
      `name: ${name}`,
      `description: ${description} Use when the user asks for ${pick(TOPICS, 5)}.`,
      ...(seed % 2 === 0 ? [`license: ${pick(LICENSES, 4)}`] : []),
      ...(seed % 3 === 0 ? [`allowed-tools: ${pick(TOOLS, 6)} ${pick(TOOLS, 8)}`] : []),
      ...(seed % 4 === 0 ? [`tags: [${pick(TOPICS, 9)}, ${pick(TOPICS, 10)}]`] : []),
    ].join("\n");
    const step = `Look at the ${pick(OBJECTS, 12)} first, then say what is missing. Never guess a number.\n\n- one\n- two\n\n`;
    files[`${folder}/SKILL.md`] = `---\n${frontmatter}\n---\n\n# ${name}\n\n${`## Step\n\n${step}`.repeat(50)}`;
    if (seed % 3 === 0) files[`${folder}/scripts/run.py`] = { executable: `#!/usr/bin/env python3\nprint(${seed})\n` };
    if (seed % 5 === 0) files[`${folder}/references/more.md`] = `# More on ${name}\n`;
  }
  return files;
}

function mix(seed: number, salt: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Distinct searches with results in such a catalog: two or three words, some only prefixes. */
export function generateSearches(count: number): string[] {
  const searches = new Set<string>();
  for (let index = 0; searches.size < count; index += 1) {
    const [one, two] = [TOPICS[mix(index, 20) % TOPICS.length] ?? "", OBJECTS[mix(index, 21) % OBJECTS.length] ?? ""];
    const three = TOPICS[mix(index, 22) % TOPICS.length] ?? "";
    searches.add([`${one} ${two}`, `${one} ${two.slice(0, 4)}`, `${one} ${three} ${two}`][index % 3] ?? one);
  }
  return [...searches];
}

export const FACET_VALUES = { tag: TOPICS, category: TOPICS, license: LICENSES };
