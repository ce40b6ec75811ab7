import { startFakeGitHub } from "@/e2e/fixtures/fake-github/start-fake-github";
import { generateRepository } from "./harness/generate-repository";

const [repositories = 1, skills = 1] = process.argv.slice(2).map(Number);
const github = await startFakeGitHub();
const folders: string[] = [];
for (let number = 0; number < repositories; number += 1) {
  const repository = await github.repository(`bench/skills-${number}`);
  await repository.commit(generateRepository(number, skills));
  folders.push(repository.folder);
}
process.on("message", () => process.send?.(github.counts()));
process.on("disconnect", () => void github.close().finally(() => process.exit(0)));
process.send?.({ apiUrl: github.apiUrl, rawUrl: github.rawUrl, folders });
