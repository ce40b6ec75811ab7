import { expect, it } from "vitest";
import { emojiOf } from "./skill-icon";

it.each([
  [{ emoji: "📊" }, "📊"],
  [{ metadata: { openclaw: { emoji: "👩‍💻" } } }, "👩‍💻"],
  [{ icon: "chart-bar" }, null],
  [{ emoji: "📊📊" }, null],
  [{ emoji: "text 📊" }, null],
  [{ list: ["📊"] }, null],
  [{}, null],
])("finds in %j: %s", (meta, expected) => {
  expect(emojiOf(meta)).toBe(expected);
});
