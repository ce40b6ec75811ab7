import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const PAGES = ["README.md", "CONTRIBUTING.md", "docs", "docs/decisions"];
const CODE_PATH = /`((?:app|bench|bin|components|docs|e2e|lib|prisma)\/[\w@./()[\]-]+)`/g;

/** Links, anchors and paths of source files in README, CONTRIBUTING and docs that lead nowhere. */
export function checkDocLinks(root) {
  const pages = PAGES.flatMap((page) =>
    page.endsWith(".md")
      ? [page]
      : readdirSync(path.join(root, page))
          .filter((name) => name.endsWith(".md"))
          .map((name) => `${page}/${name}`),
  );
  const texts = new Map(pages.map((page) => [page, readFileSync(path.join(root, page), "utf8")]));
  return findDocProblems(texts, (file) => existsSync(path.join(root, file)));
}

/** `texts` are the pages by path; `exists` says whether a path of the project is there. */
export function findDocProblems(texts, exists) {
  const bodies = new Map([...texts].map(([page, text]) => [page, text.replace(/^```[\s\S]*?^```/gm, "")]));
  const anchors = new Map([...bodies].map(([page, body]) => [page, new Set(headingsOf(body).map(anchorOf))]));
  return [...bodies].flatMap(([page, body]) => [
    ...[...body.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split("#");
        const target = file ? path.posix.join(path.posix.dirname(page), file) : page;
        return !exists(target) || (anchor && !anchors.get(target)?.has(anchor));
      })
      .map((link) => `${page} links to ${link}, which does not exist. Comply: correct the link.`),
    ...[...body.matchAll(CODE_PATH)]
      .map(([, file]) => file)
      .filter((file) => !exists(file) && !exists(`${file}.ts`))
      .map((file) => `${page} names ${file}, which does not exist. Comply: correct the path.`),
  ]);
}

function headingsOf(body) {
  return [...body.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading) {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
