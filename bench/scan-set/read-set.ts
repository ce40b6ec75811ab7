import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

/** One task, once with a deed and once without. */
export type SkillPair = {
  family: string;
  /** Never used to tune a rule. */
  heldOut: boolean;
  name: string;
  /** MITRE ATT&CK or ATLAS technique of the deed. */
  technique: string;
  malicious: SkillFile[];
  harmless: SkillFile[];
};

/** Reads every family of the set; `README.md` beside it describes the format. Throws for a malformed pair. */
export function readScanSet(folder = join(import.meta.dirname)): SkillPair[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .flatMap((name) => {
      const [family = "", kind] = name.split(".");
      return readFileSync(join(folder, name), "utf8")
        .split(/^%% /m)
        .slice(1)
        .map((text) => readPair(text, family, kind === "held-out"));
    });
}

function readPair(text: string, family: string, heldOut: boolean): SkillPair {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const [name = "", description = "", technique = ""] = head.split(" | ");
  const marks = lines.filter((line) => /^(?:<<|==|>>)$/.test(line)).join("");
  if (technique === "" || marks !== "<<==>>") throw new Error(`The pair “${head}” of ${family} is malformed.`);
  const front = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${name}\n\n`;
  return {
    ...{ family, heldOut, name, technique },
    malicious: filesOf(front, lines, "<<"),
    harmless: filesOf(front, lines, "=="),
  };
}

/** The common lines and those after `mark`. */
function filesOf(front: string, lines: string[], mark: "<<" | "=="): SkillFile[] {
  const files = [{ path: "SKILL.md", text: front }];
  let inside: string | null = null;
  for (const line of lines) {
    if (/^(?:<<|==)$/.test(line)) inside = line;
    else if (line === ">>") inside = null;
    else if (line.startsWith("@ ") && inside === null) files.push({ path: line.slice(2), text: "" });
    else if (inside === null || inside === mark) {
      const last = files.at(-1);
      if (last !== undefined) last.text += `${line}\n`;
    }
  }
  return files.map(({ path, text }) => ({
    path,
    mode: path === "SKILL.md" ? "644" : "755",
    bytes: new TextEncoder().encode(text),
  }));
}
