import { expect, it } from "vitest";
import { writeAvailableSkills } from "./write-available-skills";

it("writes the list as the reference library does", () => {
  expect(writeAvailableSkills([])).toBe("<available_skills>\n</available_skills>");
  const one = { name: "a", description: 'Use <b> & "c"', location: "/x/SKILL.md" };
  expect(writeAvailableSkills([one, { ...one, name: "b" }]).split("\n")).toEqual([
    ...["<available_skills>", "<skill>", "<name>", "a", "</name>", "<description>"],
    ...["Use &lt;b&gt; &amp; &quot;c&quot;", "</description>", "<location>", "/x/SKILL.md", "</location>", "</skill>"],
    ...["<skill>", "<name>", "b", "</name>", "<description>", "Use &lt;b&gt; &amp; &quot;c&quot;", "</description>"],
    ...["<location>", "/x/SKILL.md", "</location>", "</skill>", "</available_skills>"],
  ]);
});
