import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { checkArgs } from "@/components/schema-form/check-args";
import { TooltipProvider } from "@/components/ui/tooltip";
import { changeDraft, startDraft } from "./args-draft";
import { ArgsPanel } from "./args-panel";
import { JsonPane } from "./json-editor";
import { EditedSince } from "./run-workspace";

const schema = { type: "object", properties: { name: { type: "string", title: "Name" } } };

function Harness() {
  const [draft, dispatch] = useReducer(changeDraft, { name: "north" }, startDraft);
  return (
    <TooltipProvider>
      <ArgsPanel schema={schema} draft={draft} dispatch={dispatch} errors={[]} />
    </TooltipProvider>
  );
}

afterEach(cleanup);

describe("ArgsPanel", () => {
  it("keeps invalid JSON", async () => {
    render(<Harness />);
    // The form is loaded when it is first shown.
    expect((await screen.findByLabelText<HTMLInputElement>("Name", {}, { timeout: 20_000 })).value).toBe("north");

    fireEvent.click(screen.getByRole("radio", { name: "JSON" }));
    fireEvent.change(screen.getByLabelText("Arguments as JSON"), { target: { value: '{"name": "sou' } });
    expect(screen.getByText(/invalid JSON/i)).toBeTruthy();

    fireEvent.click(screen.getByRole("radio", { name: "Form" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Name")).value).toBe("north");
    fireEvent.click(screen.getByRole("button", { name: "Edit JSON" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>("Arguments as JSON").value).toBe('{"name": "sou');
  });
});

it("leads from the summary to the line when only the JSON is shown", () => {
  Element.prototype.scrollIntoView = () => {};
  const draft = { ...startDraft({ name: "north", upTo: 99 }), mode: "json" as const };
  render(
    <TooltipProvider>
      <ArgsPanel schema={counted} draft={draft} dispatch={() => {}} errors={checkArgs(counted, draft.value)} />
    </TooltipProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Up to" }));
  const box = screen.getByLabelText<HTMLTextAreaElement>("Arguments as JSON");
  expect(document.activeElement).toBe(box);
  expect(box.value.slice(box.selectionStart, box.selectionEnd)).toBe('  "upTo": 99');
});

const counted = {
  type: "object",
  properties: { name: { type: "string", title: "Name" }, upTo: { type: "integer", title: "Up to", maximum: 9 } },
};

function SideBySide() {
  const before = { name: "north", upTo: 3 };
  const [draft, dispatch] = useReducer(changeDraft, before, startDraft);
  const errors = checkArgs(counted, draft.value);
  return (
    <TooltipProvider>
      <ArgsPanel schema={counted} draft={draft} dispatch={dispatch} errors={errors} isJsonBeside />
      <JsonPane schema={counted} draft={draft} dispatch={dispatch} errors={errors} />
      <EditedSince
        schema={counted}
        draft={draft}
        before={before}
        onBack={(value) => dispatch({ type: "replace", value })}
      />
    </TooltipProvider>
  );
}

const json = () => screen.getByLabelText<HTMLTextAreaElement>("Arguments as JSON");
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, {}, { timeout: 20_000 });
const type = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });

describe("form and JSON side by side", () => {
  it("stay in sync in both directions", async () => {
    render(<SideBySide />);
    type(await field("Name"), "south");
    expect(JSON.parse(json().value)).toEqual({ name: "south", upTo: 3 });
    type(json(), '{"name":"west","upTo":4 }');
    expect((await field("Name")).value).toBe("west");
    expect(json().value).toBe('{"name":"west","upTo":4 }');
  });

  it("keep invalid values as typed, with the error in both views", async () => {
    render(<SideBySide />);
    type(await field("Up to"), "12 apples");
    expect((await field("Up to")).value).toBe("12 apples");
    expect(JSON.parse(json().value).upTo).toBe("12 apples");
    expect(json().getAttribute("aria-invalid")).toBe("true");
    type(json(), '{"upTo": 99}');
    expect((await field("Up to")).value).toBe("99");
    expect((await field("Up to")).getAttribute("aria-invalid")).toBe("true");
    expect(json().value).toBe('{"upTo": 99}');
  });

  it("mark the line of a wrong value and say the error once, with a summary that leads to the field", async () => {
    Element.prototype.scrollIntoView = () => {};
    const { container } = render(<SideBySide />);
    await field("Up to");
    type(json(), '{\n  "name": "west",\n  "upTo": 99\n}');
    const marked = [...container.querySelectorAll("[data-wrong]")].map((line) => line.getAttribute("data-line"));
    expect(marked).toEqual(["3"]);
    expect(document.getElementById("args-json-marks")?.textContent).toBe("Line 3, Up to: must be at most 9");
    expect(document.querySelectorAll('[id$="-error"]')).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Up to" }));
    expect(document.activeElement).toBe(await field("Up to"));
  });

  it("keep invalid JSON while the form is edited, until it is discarded", async () => {
    render(<SideBySide />);
    type(json(), '{"name": "eas');
    expect(screen.getByText(/invalid JSON/i)).toBeTruthy();
    type(await field("Name"), "north-east");
    expect(json().value).toBe('{"name": "eas');
    fireEvent.click(screen.getByRole("button", { name: "Discard JSON" }));
    expect(JSON.parse(json().value)).toEqual({ name: "north-east", upTo: 3 });
  });

  it("show that the arguments were edited, and restore them", async () => {
    render(<SideBySide />);
    expect(screen.queryByText("Edited since this run")).toBeNull();
    type(json(), '{"upTo": 3, "name": "north"}');
    expect(screen.queryByText("Edited since this run")).toBeNull();
    type(json(), '{"upTo": 4}');
    expect(screen.getByText("Edited since this run")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Restore its arguments" }));
    expect(JSON.parse(json().value)).toEqual({ name: "north", upTo: 3 });
  });

  it("do not count the defaults that the form fills in as an edit", async () => {
    render(<WithDefaults />);
    await field("Up to");
    await waitFor(() => expect(screen.getByTestId("args").textContent).toBe('{"name":"north","upTo":3}'));
    expect(screen.queryByText("Edited since this run")).toBeNull();
    type(await field("Up to"), "4");
    expect(screen.getByText("Edited since this run")).toBeTruthy();
  });
});

function WithDefaults() {
  const before = { name: "north" };
  const properties = { ...counted.properties, upTo: { ...counted.properties.upTo, default: 3 } };
  const [draft, dispatch] = useReducer(changeDraft, before, startDraft);
  return (
    <TooltipProvider>
      <ArgsPanel schema={{ ...counted, properties }} draft={draft} dispatch={dispatch} errors={[]} />
      <output data-testid="args">{JSON.stringify(draft.value)}</output>
      <EditedSince schema={{ ...counted, properties }} draft={draft} before={before} onBack={() => {}} />
    </TooltipProvider>
  );
}
