import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { isOwner, isRef, isRepository, isRepositoryPath } from "./names";
import { parseRepositoryUrl } from "./parse-repository-url";

const publicHosts = {
  apiUrl: "https://api.github.com",
  rawUrl: "https://raw.githubusercontent.com",
  webUrl: "https://github.com",
};
const enterprise = {
  apiUrl: "https://ghe.example/api/v3",
  rawUrl: "https://ghe.example/raw",
  webUrl: "https://ghe.example",
};

test.each([
  ["https://github.com/acme/skills", {}],
  ["https://github.com/acme/skills/", {}],
  ["https://github.com/acme/skills.git", {}],
  ["acme/skills", {}],
  ["npx skills add acme/skills --skill pdf", {}],
  ["npx skills add https://github.com/acme/skills/tree/main/plugins", { ref: "main", folder: "plugins" }],
  ["acme/skills/plugins/pdf", { folder: "plugins/pdf" }],
  ["acme/skills#v1.2", { ref: "v1.2" }],
  ["github.com/acme/skills", {}],
  ["https://github.com/acme/skills/tree/main", { ref: "main" }],
  ["https://github.com/acme/skills/tree/v1.2/plugins/pdf/", { ref: "v1.2", folder: "plugins/pdf" }],
  ["https://github.com/acme/skills/tree/main/with%20space", { ref: "main", folder: "with space" }],
])("%s", (repoUrl, more) => {
  const place = { repoUrl: "https://github.com/acme/skills", owner: "acme", repo: "skills", ref: null, folder: null };
  expect(parseRepositoryUrl({ repoUrl }, publicHosts)).toEqual({ ...place, ...more });
});

test("a branch with a slash is separated from the folder when it is given", () => {
  const repoUrl = "https://github.com/acme/skills/tree/feature/x/plugins";
  expect(parseRepositoryUrl({ repoUrl, ref: "feature/x" }, publicHosts)).toMatchObject({
    ref: "feature/x",
    folder: "plugins",
  });
  expect(() => parseRepositoryUrl({ repoUrl, ref: "main" }, publicHosts)).toThrow(/another ref/);
});

test("a short name is on the host of GITHUB_API_URL", () => {
  expect(parseRepositoryUrl({ repoUrl: "acme/skills" }, enterprise).repoUrl).toBe("https://ghe.example/acme/skills");
});

test("the host of GITHUB_API_URL is taken too, and no other", () => {
  expect(parseRepositoryUrl({ repoUrl: "https://ghe.example/a/b" }, enterprise).repoUrl).toBe(
    "https://ghe.example/a/b",
  );
  expect(() => parseRepositoryUrl({ repoUrl: "https://ghe.example/a/b" }, publicHosts)).toThrow(
    /Only repositories on github.com/,
  );
});

test.each([
  "",
  "acme",
  "acme/..",
  "acme/skills/../x",
  "acme/skills#ma..in",
  "npx skills add gitlab.com/acme/skills",
  "npx skills add ./local",
  "npx cowsay add acme/skills",
  "git@github.com:acme/skills.git",
  "ssh://git@github.com/acme/skills",
  "http://github.com/acme/skills",
  "file:///etc/passwd",
  "https://gitlab.com/acme/skills",
  "https://github.com.evil.example/acme/skills",
  "https://github.com@evil.example/acme/skills",
  "https://user:secret@github.com/acme/skills",
  "https://github.com:8443/acme/skills",
  "https://127.0.0.1/acme/skills",
  "https://[::1]/acme/skills",
  "https://github.com/acme",
  "https://github.com/acme/skills/issues",
  "https://github.com/acme/skills/tree",
  "https://github.com/acme/skills?x=1",
  "https://github.com/acme/skills#x",
  "https://github.com/acme/..",
  "https://github.com/acme/x/../../etc/passwd",
  "https://github.com/acme/skills/tree/main/%2e%2e/x",
  "https://github.com/acme/a%2fb",
  "https://github.com/acme\\evil/skills",
  "https://github.com/-acme/skills",
  "https://github.com/ac me/skills",
  "https://github.com/acme/skills/tree/ma..in",
])("%s is refused with a reason at its field", (repoUrl) => {
  expect(() => parseRepositoryUrl({ repoUrl }, publicHosts)).toThrow(AppError);
  expect(() => parseRepositoryUrl({ repoUrl }, publicHosts)).toThrow(
    expect.objectContaining({
      code: "invalid",
      errors: [expect.objectContaining({ path: expect.stringMatching(/repoUrl|ref|folder/) })],
    }),
  );
});

const part = fc.oneof(
  fc.string(),
  fc.constantFrom("..", ".", "acme", "tree", "%2e%2e", "a b", "é", "@evil", ":80", "\\", ".git"),
);

test("any input yields checked names on a known host, or is refused", () => {
  const typed = fc.record({
    repoUrl: fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 7 }).map((parts) => `https://github.com/${parts.join("/")}`),
      fc.webUrl(),
    ),
    ref: fc.option(part),
    folder: fc.option(part),
  });
  fc.assert(
    fc.property(typed, (input) => {
      let place: ReturnType<typeof parseRepositoryUrl>;
      try {
        place = parseRepositoryUrl(input, publicHosts);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      expect(isOwner(place.owner) && isRepository(place.repo)).toBe(true);
      expect(place.ref === null || isRef(place.ref)).toBe(true);
      expect(place.folder === null || isRepositoryPath(place.folder)).toBe(true);
      expect(place.repoUrl).toBe(`https://github.com/${place.owner}/${place.repo}`);
      expect(parseRepositoryUrl(place, publicHosts)).toEqual(place);
    }),
    { numRuns: 500 },
  );
});
