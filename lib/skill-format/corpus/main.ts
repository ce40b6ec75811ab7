import { readFolderArgument } from "@/lib/core/read-folder-argument";
import { type CorpusCount, countOutcomes } from "./count-outcomes";
import { findSkillFiles } from "./find-skill-files";

const given = readFolderArgument("corpus");
if (given !== null) {
  const files = findSkillFiles(given.folder, (path) => console.error(`not readable, left out: ${path}`));
  const count = countOutcomes(files);
  console.log(given.json ? JSON.stringify(count) : formatTable(count));
  if (count.exceptions > 0) process.exitCode = 1;
}

function formatTable(count: CorpusCount): string {
  const { recovered, msPerFile } = count;
  const rows: [string, number][] = [
    ["files", count.files],
    ["strict", count.strict],
    ["S1 repeated keys", recovered.S1],
    ["S2 colon in a value quoted", recovered.S2],
    ["S3 other value repaired", recovered.S3],
    ["S4 other end of the frontmatter", recovered.S4],
    ["S5 field by field", recovered.S5],
    ["S6 hidden or unfenced frontmatter", recovered.S6],
    ["inferred from the body", count.inferred],
    ["unusable", count.unusable],
    ["exceptions", count.exceptions],
    ["with a name of their own", count.withName],
    ["with a description of their own", count.withDescription],
  ];
  const lines = rows.map(([label, number]) => {
    const share = count.files === 0 ? "" : `${((number / count.files) * 100).toFixed(2)} %`;
    return `${label.padEnd(36)}${String(number).padStart(8)}${share.padStart(11)}`;
  });
  return [...lines, `${"milliseconds per file".padEnd(36)}${String(msPerFile).padStart(8)}`].join("\n");
}
