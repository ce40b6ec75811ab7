import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { readGitAddress } from "../git/git-address";
import { isRef, isRepositoryPath } from "../github/names";
import { parseSourceAddress } from "./parse-source-address";

const HOSTS = {
  apiUrl: "https://api.github.com",
  rawUrl: "https://raw.githubusercontent.com",
  webUrl: "https://github.com",
};
const parse = (repoUrl: string, more: Partial<Parameters<typeof parseSourceAddress>[0]> = {}) =>
  parseSourceAddress({ repoUrl, ...more }, HOSTS);
const at = (
  kind: string,
  repoUrl: string,
  owner: string,
  repo: string,
  ref: string | null = null,
  folder: string | null = null,
) => ({
  ...{ kind, repoUrl, owner, repo, ref, folder },
});

test.each([
  ["acme/skills", at("github", "https://github.com/acme/skills", "acme", "skills")],
  ["https://github.com/acme/skills.git", at("github", "https://github.com/acme/skills", "acme", "skills")],
  ["git@github.com:acme/skills.git", at("github", "https://github.com/acme/skills", "acme", "skills")],
  ["git clone https://github.com/acme/skills", at("github", "https://github.com/acme/skills", "acme", "skills")],
  [
    "https://gitlab.com/group/sub/skills",
    at("gitlab", "https://gitlab.com/group/sub/skills", "gitlab.com/group/sub", "skills"),
  ],
  ["gitlab.com/group/skills.git", at("gitlab", "https://gitlab.com/group/skills", "gitlab.com/group", "skills")],
  [
    "https://git.acme.example/group/skills/-/tree/main/packs/pdf",
    at("gitlab", "https://git.acme.example/group/skills", "git.acme.example/group", "skills", "main", "packs/pdf"),
  ],
  [
    "https://codeberg.org/acme/skills/src/branch/main/packs",
    at("gitea", "https://codeberg.org/acme/skills", "codeberg.org/acme", "skills", "main", "packs"),
  ],
  [
    "https://ben@bitbucket.org/acme/skills.git",
    at("bitbucket", "https://bitbucket.org/acme/skills", "bitbucket.org/acme", "skills"),
  ],
  [
    "https://bitbucket.org/acme/skills/src/main/packs/",
    at("bitbucket", "https://bitbucket.org/acme/skills", "bitbucket.org/acme", "skills", "main", "packs"),
  ],
  [
    "https://acme@dev.azure.com/acme/My%20Project/_git/skills?path=/packs&version=GBmain",
    at(
      "azure",
      "https://dev.azure.com/acme/My%20Project/_git/skills",
      "dev.azure.com/acme/My%20Project/_git",
      "skills",
      "main",
      "packs",
    ),
  ],
  [
    "https://git.acme.example:8443/skills.git",
    at("git", "https://git.acme.example:8443/skills.git", "git.acme.example:8443", "skills"),
  ],
  [
    "git@git.acme.example:group/skills.git",
    at("git", "git@git.acme.example:group/skills.git", "git.acme.example/group", "skills"),
  ],
  [
    "ssh://deploy@git.acme.example:2222/group/skills.git",
    at("git", "ssh://deploy@git.acme.example:2222/group/skills.git", "git.acme.example:2222/group", "skills"),
  ],
  ["git clone --depth 1 git@gitlab.com:g/s.git", at("git", "git@gitlab.com:g/s.git", "gitlab.com/g", "s")],
])("%s", (text, place) => {
  expect(parse(text)).toEqual(place);
  // What is stored is read as the same place.
  const stored = { kind: place.kind as "git", ref: place.ref, folder: place.folder };
  expect(parse(place.repoUrl, stored)).toEqual(place);
});

test("a kind that is chosen counts, and GitHub can be read by git", () => {
  expect(parse("https://git.acme.example/group/skills", { kind: "gitlab" })).toMatchObject({ kind: "gitlab" });
  expect(parse("git@github.com:acme/skills.git", { kind: "git" })).toEqual(
    at("git", "git@github.com:acme/skills.git", "github.com/acme", "skills"),
  );
});

describe("refusals", () => {
  test.each([
    ["", "Enter a repository"],
    ["https://ben:secret@gitlab.com/g/s", "password"],
    ["https://gitlab.com/g/../s", ". and .."],
    ["https://gitlab.com/g/%2e%2e/s", ". and .."],
    ["https://gitlab.com/g/s?x=1", "query"],
    ["https://gitlab.com/g/s#x", "fragment"],
    ["https://gitlab.com/s", "group"],
    ["file:///etc/passwd", "Enter a repository"],
    ["ext::sh -c id", "Enter a repository"],
    ["git://git.acme.example/g/s", "Enter a repository"],
    ["--upload-pack=id", "Enter a repository"],
    ["-oProxyCommand=id@host:x/y", "Enter a repository"],
    ["ssh://-oProxyCommand=id/g/s", "Enter a repository"],
    ["git@-host:g/s", "Enter a repository"],
    ["git@host:-g/s", "Enter a repository"],
    ["git@host:g/$(id)/s", "Enter a repository"],
    ["/etc/passwd", "Enter a repository"],
    ["../x/y", "Enter a repository"],
  ])("%s", (text, reason) => {
    expect(() => parse(text)).toThrow(reason);
  });

  test("ssh has no API, and GitHub's own kind reads GitHub alone", () => {
    expect(() => parse("git@gitlab.com:g/s.git", { kind: "gitlab" })).toThrow("Git");
    expect(() => parse("https://gitlab.com/g/s", { kind: "github" })).toThrow("github.com");
  });
});

test("any text is a place without options, credentials or steps upwards, or is refused", () => {
  const part = fc.oneof(
    fc.constantFrom(
      "https://",
      "ssh://",
      "git@",
      "gitlab.com",
      "host",
      ":",
      "/",
      "-",
      "..",
      ".git",
      "/-/tree/",
      "--upload-pack=x",
    ),
    fc.constantFrom("?path=/x", "#x", "@", "%2e", "\\", " ", "\n", "$(id)", "'", "group", "skills", "ext::", "file://"),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      try {
        const { kind, repoUrl, ref, folder, owner, repo } = parse(parts.join(""));
        const address = readGitAddress(repoUrl);
        expect(address).not.toBeNull();
        expect(repoUrl).not.toMatch(/[\s'"$`\\]|\.\.\/|:\/\/[^/]*:[^/@]*@/);
        for (const one of [address?.host, address?.user, address?.path]) expect(one ?? "x").not.toMatch(/^-/);
        if (kind !== "github") expect(`${owner}/${repo}`).toContain(address?.host);
        expect(ref === null || isRef(ref)).toBe(true);
        expect(folder === null || isRepositoryPath(folder)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 3_000 },
  );
});
