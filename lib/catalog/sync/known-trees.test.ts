import fc from "fast-check";
import { expect, test } from "vitest";
import { createGitRepository, type FileChange } from "@/e2e/fixtures/fake-github/git-repository";
import { createKnownTrees } from "./known-trees";

const name = fc.constantFrom("a", "a.b", "a-b", "a0", "b", "é", "zz", "Z");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => `${segments.join("/")}.x`);
const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.string(),
  fc.constant({ executable: "#!/bin/sh\n" }),
  fc.constant({ linkTo: "a.x" }),
);

test("every tree of git is found by its sha from the files in it, and none when one file is missing or differs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, change, { minKeys: 2, maxKeys: 12 }), fc.nat(), async (files, pick) => {
      const repository = await createGitRepository();
      try {
        await repository.commit(files);
        const root = (await repository.resolve("main"))?.tree ?? "";
        const all = (await repository.listTree(root, true)) ?? [];
        const blobs = all.filter(({ type }) => type !== "tree");
        const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
        const known = createKnownTrees(blobs);
        expect(known.entriesOf(root, "")?.map(plain).sort(byPath)).toEqual(all.map(plain).sort(byPath));
        for (const { path: folder, sha, type } of all)
          if (type === "tree") expect(known.hasBelow(folder), sha).toBe(true);
        const changed = blobs[pick % blobs.length];
        const without = createKnownTrees(blobs.filter((blob) => blob !== changed));
        const other = createKnownTrees(
          blobs.map((blob) => (blob === changed ? { ...blob, sha: "1".repeat(40) } : blob)),
        );
        for (const { path: folder, sha, type } of [...all, { path: "", sha: root, type: "tree" }]) {
          if (type !== "tree") continue;
          const isAbove = folder === "" || changed?.path.startsWith(`${folder}/`);
          // The same tree may be at another place too.
          const isElsewhere = all.some((entry) => entry.sha === sha && !changed?.path.startsWith(`${entry.path}/`));
          expect(without.entriesOf(sha, "") === null).toBe(isAbove === true && !isElsewhere);
          expect(other.entriesOf(sha, "") === null).toBe(isAbove === true && !isElsewhere);
        }
      } finally {
        await repository.remove();
      }
    }),
    { numRuns: 15 },
  );
});

const plain = ({ path: place, mode, type, sha }: { path: string; mode: string; type: string; sha: string }) => ({
  ...{ path: place, mode, type, sha },
});
