import { must } from "../harness/publish-skill";
import type { BlockingCase } from "./instance";

const FILES = 100;
const LINES_OF_FILE = 30_000;
const LINES_OF_DIFF = 60_000;

type Version = { digest: string };
type Created = { id: string };

/** A skill of 39 MB sent as JSON, and a comparison of two versions whose lines all differ in order. */
export const versionsCase: BlockingCase = {
  name: "versions",
  prepare: async () => {},
  run: async ({ caller }) => {
    const marker = (name: string) => ({
      path: "SKILL.md",
      text: `---\nname: ${name}\ndescription: Does it.\n---\n# It\n`,
    });
    const large = Array.from({ length: FILES }, (_, index) => ({
      path: `f${index}.txt`,
      text: "line of text\n".repeat(LINES_OF_FILE),
    }));
    await must(caller, "POST", "/api/skills", { files: [marker("sent-as-json"), ...large] });
    const lines = (at: (index: number) => number) =>
      Array.from({ length: LINES_OF_DIFF }, (_, index) => `line ${at(index)}\n`).join("");
    const files = (at: (index: number) => number) => [marker("compared"), { path: "a.txt", text: lines(at) }];
    const { id } = await must<Created>(caller, "POST", "/api/skills", { files: files((index) => index) });
    const { items } = await must<{ items: Version[] }>(caller, "GET", `/api/skills/${id}/versions`);
    const before = items[0]?.digest ?? "";
    const after = await must<Version>(caller, "POST", `/api/skills/${id}/versions`, {
      files: files((index) => (index * 31) % LINES_OF_DIFF),
      baseDigest: before,
    });
    const diff = await must<{ files: unknown[] }>(
      caller,
      "GET",
      `/api/skills/${id}/versions/${after.digest}/diff?against=${before}`,
    );
    return `${FILES} files of JSON, ${diff.files.length} file compared`;
  },
};
