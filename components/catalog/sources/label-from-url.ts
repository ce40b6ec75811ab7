/** A label from an address as it is typed: "owner/repository"; empty while it names none. */
export function labelFromUrl(text: string): string {
  const match = /^\s*(?:https?:\/\/)?[^/\s]+\/([^/\s]+)\/([^/\s?#]+)/.exec(text);
  const [, owner, repo] = match ?? [];
  return owner && repo ? `${owner}/${repo.replace(/\.git$/, "")}`.slice(0, 80) : "";
}
