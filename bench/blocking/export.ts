import { randomBytes } from "node:crypto";
import { download } from "./download";
import type { BlockingCase } from "./instance";
import { encode, importFolders, skillFolder, words } from "./upload";

const MANY = 300;

let manyIds: string[] = [];
let largeId = "";

/** One skill of 19 MB, and 300 skills in one file. */
export const exportCase: BlockingCase = {
  name: "export",
  prepare: async (instance) => {
    const files = Array.from({ length: 4 }, (_, at) => ({ path: `bin/f${at}.bin`, bytes: randomBytes(4_800_000) }));
    [largeId = ""] = await importFolders(instance, [skillFolder("large-files", files)]);
    manyIds = await importFolders(
      instance,
      Array.from({ length: instance.quick ? 30 : MANY }, (_, index) =>
        skillFolder(`many-${index}`, [{ path: "reference.md", bytes: encode(words(6_000, index)) }]),
      ),
    );
  },
  run: async (instance) => {
    const one = await download(instance, `/api/skills/${largeId}/export?as=original`);
    const all = await download(instance, `/api/export?skills=${manyIds.join(",")}`);
    return `${one} bytes of one skill, ${all} bytes of ${manyIds.length}`;
  },
};
