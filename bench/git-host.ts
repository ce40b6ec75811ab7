import { startGitServer } from "@/e2e/fixtures/git-server/start-git-server";
import { generateRepository } from "./harness/generate-repository";

/** A git host in a process of its own, forked by `blocking/git-sync.ts`: one repository with as many skills as its argument says. */
const skills = Number(process.argv[2]);
const server = await startGitServer();
const repository = await server.repository("bench/skills");
const files = generateRepository(0, skills);
// The commit would begin its own in the background.
await repository.git("config", "gc.auto", "0");
await repository.commit(files);
// A host answers from packs.
await repository.git("gc", "--quiet");
const [first = ""] = Object.keys(files).filter((path) => path.endsWith("SKILL.md"));

process.on("message", async (order: "counts" | "change") => {
  if (order === "change") await repository.commit({ [first]: `${String(files[first])}\nChanged.\n` });
  process.send?.(server.transferred());
});
process.send?.({ url: `${server.origin}/bench/skills.git`, files: Object.keys(files).length });
process.on("disconnect", () => void server.close().then(() => process.exit()));
