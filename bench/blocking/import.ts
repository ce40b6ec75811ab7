import { randomBytes } from "node:crypto";
import type { BlockingCase } from "./instance";
import { encode, importPacked, packFolders, skillFolder, words } from "./upload";

const FEW = 40;
const MANY = 400;
const LARGE_FILES = 4;
const LARGE_BYTES = 4_800_000;

let packed: Awaited<ReturnType<typeof packFolders>>[] = [];

/** An archive of 400 skills, one of 18 MiB with 4,800 small files, and one of 18 MiB with four large ones. */
export const importCase: BlockingCase = {
  name: "import",
  prepare: async ({ quick }) => {
    const many = Array.from({ length: quick ? FEW : MANY }, (_, index) =>
      skillFolder(`many-${index}`, [
        { path: "scripts/run.py", bytes: encode(`print(${index})\n${words(2_000, index)}`) },
        { path: "reference/a.md", bytes: encode(words(3_000, index + 1)) },
        { path: "reference/b.md", bytes: encode(words(6_000, index + 2)) },
      ]),
    );
    const small = Array.from({ length: quick ? 1 : 12 }, (_, index) =>
      skillFolder(
        `small-${index}`,
        Array.from({ length: 400 }, (_file, at) => ({
          path: `data/f${at}.txt`,
          bytes: encode(words(6_000, index * 1_000 + at)),
        })),
      ),
    );
    const large = skillFolder(
      "large-files",
      Array.from({ length: quick ? 1 : LARGE_FILES }, (_, at) => ({
        path: `bin/f${at}.bin`,
        bytes: randomBytes(LARGE_BYTES),
      })),
    );
    packed = [await packFolders(many), await packFolders(small), await packFolders([large])];
  },
  run: async (instance) => {
    const counts: number[] = [];
    for (const upload of packed) counts.push((await importPacked(instance, upload)).length);
    return `archives with ${counts.join(", ")} skills`;
  },
};
