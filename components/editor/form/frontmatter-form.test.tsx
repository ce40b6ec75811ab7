import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { FrontmatterForm, useFormReading } from "./frontmatter-form";

afterEach(cleanup);

const onGoTo = vi.fn();

/** The form beside its text, as in the editor. */
function Both({ initial }: { initial: string }) {
  const [text, setText] = useState(initial);
  return (
    <TooltipProvider>
      <FrontmatterForm text={text} shown={useFormReading(text)} onChange={setText} onGoTo={onGoTo} />
      <textarea aria-label="The text" value={text} onChange={(event) => setText(event.target.value)} />
    </TooltipProvider>
  );
}

function show(initial: string) {
  render(<Both initial={initial} />);
  const text = () => screen.getByLabelText<HTMLTextAreaElement>("The text").value;
  return { user: userEvent.setup(), text };
}

const file = (yaml: string) => `---\n${yaml}---\n\n# Body\n`;

describe("FrontmatterForm", () => {
  it("keeps the text in sync with typing, including spaces between words", async () => {
    const { user, text } = show(file("name: a # kept\nx: 1\n"));
    await user.type(screen.getByLabelText("Description"), "Two words ");
    expect(text()).toBe(file("name: a # kept\ndescription: Two words\nx: 1\n"));
    await user.type(screen.getByLabelText("Allowed tools"), "Read Bash(git add:*){Enter}");
    expect(text()).toContain("allowed-tools: Read Bash(git add:*)\n");
    await user.click(screen.getByRole("button", { name: "Remove Read" }));
    expect(text()).toContain("allowed-tools: Bash(git add:*)\n");
    await user.selectOptions(screen.getByLabelText("People can run it by name"), "No");
    expect(text()).toContain("user-invocable: false\n");
    await user.selectOptions(screen.getByLabelText("Conversation"), "A separate conversation (fork)");
    expect(text()).toContain("context: fork\n");
    await user.clear(screen.getByLabelText("Instructions"));
    await user.type(screen.getByLabelText("Instructions"), "# New{Enter}Do it.");
    expect(text()).toMatch(/\n---\n\n# New\nDo it\.$/);
  });

  it("removes an emptied optional field, and keeps a required one", async () => {
    const { user, text } = show(file("name: a\nlicense: MIT\n"));
    await user.clear(screen.getByLabelText("Licence"));
    await user.clear(screen.getByLabelText("Name"));
    await user.tab();
    expect(text()).toBe(file('name: ""\n'));
  });

  it("follows the text, and is disabled with its last values while the YAML is invalid", async () => {
    const { user, text } = show(file("name: a\n"));
    const area = screen.getByLabelText("The text");
    await user.clear(area);
    await user.click(area);
    await user.paste("---\nname: b\ndescription: [c\n---\n");
    expect(screen.getByRole("alert").textContent).toContain("Frontmatter error on line");
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "");
    expect(screen.getByLabelText("Name").closest("fieldset")).toHaveProperty("disabled", true);
    await user.click(screen.getByRole("button", { name: /Go to line/ }));
    expect(onGoTo).toHaveBeenCalledOnce();
    await user.clear(area);
    await user.click(area);
    await user.paste(file("name: b\n"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "b");
    expect(text()).toBe(file("name: b\n"));
  });

  it("changes metadata entries, and leaves values that are not text to the text view", async () => {
    const { user, text } = show(file("metadata:\n  author: ada # first\n  deep: {x: 1}\n"));
    await user.type(screen.getByLabelText("New entry name"), "team");
    await user.type(screen.getByLabelText("New entry value"), "blue{Enter}");
    await user.type(screen.getByLabelText("Metadata author"), "m");
    expect(text()).toBe(file("metadata:\n  author: adam # first\n  deep: {x: 1}\n  team: blue\n"));
    expect(screen.getByText(/not plain text.*deep/)).toBeDefined();
  });

  it("names fields that it cannot show", () => {
    show(file("description:\n  - a\n"));
    expect(screen.getByText(/form cannot show this value/)).toBeDefined();
  });
});
