/** The file that says what a skill is: its playbook, else its manifest. */
export function firstFile<F extends { path: string }>(files: readonly F[]): F | undefined {
  return files.find(({ path }) => path === "SKILL.md") ?? files.find(({ path }) => path === "skill.json") ?? files[0];
}
