import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { SegmentedControl } from "./segmented-control";

afterEach(cleanup);

const options = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
  { value: "raw", label: "Raw" },
] as const;

type Value = (typeof options)[number]["value"];

function Example({ onChange }: { onChange: (value: Value) => void }) {
  const [value, setValue] = useState<Value>("json");
  const change = (next: Value) => {
    setValue(next);
    onChange(next);
  };
  return <SegmentedControl label="Edit as" value={value} onValueChange={change} options={options} />;
}

test("is reached once by Tab, at the selected option, and moved through by arrow keys", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(<Example onChange={onChange} />);
  const focused = () => document.activeElement?.textContent;
  await user.tab();
  expect(focused()).toBe("JSON");
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(focused()).toBe("Form");
  await user.keyboard("{ArrowLeft}");
  expect(focused()).toBe("Raw");
  expect(onChange).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  expect(onChange.mock.calls).toEqual([["raw"]]);
  expect(screen.getByRole("radio", { name: "Raw" }).getAttribute("aria-checked")).toBe("true");
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});

test("a click on the selected option changes nothing", async () => {
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(<Example onChange={onChange} />);
  await user.click(screen.getByRole("radio", { name: "JSON" }));
  expect(onChange).not.toHaveBeenCalled();
  await user.click(screen.getByRole("radio", { name: "Form" }));
  expect(onChange.mock.calls).toEqual([["form"]]);
});
