// @vitest-environment jsdom
import { expect, test } from "vitest";
import { writeAtom } from "./updates";

const update = {
  skill: { id: "s1", name: `<b>"it's" & more</b>`, description: "Lone \ud800 half, control \u0001, ]]> end." },
  publisher: { handle: "ada", name: "Ada & <Co>", verified: false },
  digest: "a".repeat(64),
  number: 3,
  approvedAt: "2026-01-02T03:04:05.000Z",
  changelog: null,
  serves: true,
  url: "https://x.test/s/ada/it?a=1&b=2",
};

test("the feed is XML that reads back to what people wrote, without what XML cannot hold", () => {
  const page = { items: [update, { ...update, changelog: "<script>" }], nextCursor: "next+one" };
  const text = writeAtom({ title: "A & B", publicUrl: "https://x.test", page, cursor: undefined });
  const xml = new DOMParser().parseFromString(text, "application/xml");
  expect(xml.getElementsByTagName("parsererror")).toHaveLength(0);
  const texts = (name: string) => [...xml.getElementsByTagName(name)].map((node) => node.textContent);
  expect(texts("title")).toEqual(["A & B", `<b>"it's" & more</b> version 3`, `<b>"it's" & more</b> version 3`]);
  expect(texts("summary")).toEqual(["Lone \ufffd half, control \ufffd, ]]> end.", "<script>"]);
  expect([...xml.getElementsByTagName("link")].map((link) => link.getAttribute("href"))).toEqual([
    "https://x.test/api/updates.atom",
    "https://x.test/api/updates.atom?cursor=next%2Bone",
    update.url,
    update.url,
  ]);
});

test("an empty feed is one", () => {
  const page = { items: [], nextCursor: null };
  const text = writeAtom({ title: "A", publicUrl: "https://x.test", page, cursor: undefined });
  const xml = new DOMParser().parseFromString(text, "application/xml");
  expect(xml.getElementsByTagName("entry")).toHaveLength(0);
  expect(xml.getElementsByTagName("updated")).toHaveLength(1);
});
