import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extendTailwindMerge } from "tailwind-merge";
import { expect, test } from "vitest";
import { cn } from "./cn";

// It would take `text-13` for a colour and drop it beside a real one.
const complete = extendTailwindMerge({ extend: { theme: { text: ["13", "20"] } } });

test("replaces what the complete config of tailwind-merge replaces, for the classes of this repository", () => {
  const classes = findClasses();
  expect(classes.length).toBeGreaterThan(500);
  const stems = new Map<string, string[]>();
  for (const name of classes) {
    const [stem = ""] = name.replace(/^-/, "").split("-");
    stems.set(stem, [...(stems.get(stem) ?? []), name]);
  }
  const samples = [...stems.values()].flatMap((names) => names.slice(0, 2));
  const different = classes.flatMap((first) => {
    const [stem = ""] = first.replace(/^-/, "").split("-");
    return [...new Set([...(stems.get(stem) ?? []), ...samples])]
      .filter((second) => second !== first && cn(first, second) !== complete(`${first} ${second}`))
      .map((second) => `${first} ${second}: ${cn(first, second)}, not ${complete(`${first} ${second}`)}`);
  });
  expect(different).toEqual([]);
}, 120_000);

test("keeps classes of different states, and an earlier class for another state", () => {
  expect(cn("hover:bg-accent bg-muted", "bg-background")).toBe("hover:bg-accent bg-background");
  expect(cn("text-13 text-muted-foreground", false, undefined, "text-danger")).toBe("text-13 text-danger");
});

/** The classes of the strings in app and components, without the states before them, that tailwind-merge knows. */
function findClasses(): string[] {
  const root = join(import.meta.dirname, "..", "..");
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
      .map((file) => join(root, folder, file)),
  );
  const found = new Set<string>();
  for (const file of files) {
    for (const [, quoted, template] of readFileSync(file, "utf8").matchAll(/"([^"\n]*)"|`([^`]*)`/g)) {
      for (const word of (quoted ?? template ?? "").split(/\s+/)) {
        const name = word.replace(/^(?:[^[\]:()]*(?:\[[^\]]*\])?[^[\]:()]*:)+/, "");
        if (/^-?[a-z][^"<>;]*$/.test(name) && complete(`${name} ${name}`) === name) found.add(name);
      }
    }
  }
  return [...found];
}
