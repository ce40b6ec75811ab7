import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { ApiFieldError } from "@/lib/client/api";
import SchemaForm from "./schema-form";

const schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", title: "Name", description: "What it is called.", examples: ["north"] },
    limit: { type: "integer", title: "Limit", default: 5 },
    strict: { type: "boolean", title: "Strict" },
    secret: { type: "string", title: "Secret", format: "hidden" },
    pin: { type: "integer", title: "Pin", writeOnly: true },
    key: { type: "string", title: "Key", "x-secret": true },
    mode: { enum: ["fast", "slow"], title: "Mode" },
    tags: { type: "array", title: "Tags", items: { type: "string" } },
    output: {
      title: "Output",
      oneOf: [
        {
          title: "Table",
          type: "object",
          properties: { kind: { const: "table" }, width: { type: "integer", default: 80 } },
        },
        { title: "File", type: "object", properties: { kind: { const: "file" } } },
      ],
    },
    notify: {
      type: "object",
      title: "Notify",
      required: ["email"],
      properties: { email: { type: "string", title: "Email" } },
    },
  },
};

type HarnessProps = { onValue: (value: unknown) => void; errors?: ApiFieldError[]; start?: Record<string, unknown> };

function Harness({ onValue, errors = [], start = {} }: HarnessProps) {
  const [value, setValue] = useState<Record<string, unknown>>(start);
  return (
    <TooltipProvider>
      <SchemaForm
        schema={schema}
        value={value}
        errors={errors}
        onChange={(next) => {
          setValue(next);
          onValue(next);
        }}
      />
    </TooltipProvider>
  );
}

afterEach(cleanup);

describe("SchemaForm", () => {
  it("shows titles, help, examples and defaults", () => {
    render(<Harness onValue={() => {}} />);
    const name = screen.getByLabelText("Name");
    expect(name.getAttribute("placeholder")).toBe("north");
    expect(document.getElementById(name.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "What it is called.",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Limit").value).toBe("5");
    expect(screen.getByRole("switch", { name: "Strict" })).toBeTruthy();
    expect(screen.getAllByRole("radio")).toHaveLength(2);
  });

  it("gives a field as much room as its value needs", () => {
    const sized = {
      type: "object",
      properties: {
        path: { type: "string", maxLength: 1000 },
        content: { type: "string", maxLength: 1_000_000 },
        message: { type: "string" },
        limit: { type: "integer" },
      },
    };
    render(<SchemaForm schema={sized} value={{}} errors={[]} onChange={() => {}} />);
    expect(screen.getByLabelText("Path").tagName).toBe("INPUT");
    expect(screen.getByLabelText("Content").tagName).toBe("TEXTAREA");
    expect(screen.getByLabelText("Message").tagName).toBe("TEXTAREA");
    expect(screen.getByLabelText("Limit").className).toContain("max-w-");
  });

  it("edits free objects and untyped values as JSON", () => {
    const onValue = vi.fn();
    const free = { type: "object", properties: { filter: { type: "object", description: "Conditions" }, any: {} } };
    render(<SchemaForm schema={free} value={{}} errors={[]} onChange={onValue} />);
    fireEvent.change(screen.getByLabelText("Filter"), { target: { value: '{ "age": 3 }' } });
    expect(onValue).toHaveBeenLastCalledWith({ filter: { age: 3 } });
    fireEvent.change(screen.getByLabelText("Any"), { target: { value: "plain" } });
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ any: "plain" }));
  });

  it("masks fields that the schema marks as secret", () => {
    render(<Harness onValue={() => {}} />);
    expect(screen.getByLabelText("Pin").getAttribute("type")).toBe("password");
    expect(screen.getByLabelText("Key").getAttribute("type")).toBe("password");
  });

  it("ignores a schema's request to hide a field", () => {
    render(<Harness onValue={() => {}} />);
    expect(screen.getByLabelText("Secret").getAttribute("type")).not.toBe("hidden");
  });

  it("returns numbers as numbers, and keeps other input as typed", () => {
    const onValue = vi.fn();
    render(<Harness onValue={onValue} />);
    fireEvent.change(screen.getByLabelText("Limit"), { target: { value: "12" } });
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ limit: 12 }));
    fireEvent.change(screen.getByLabelText("Limit"), { target: { value: "many" } });
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ limit: "many" }));
    expect(screen.getByLabelText<HTMLInputElement>("Limit").value).toBe("many");
  });

  it("omits an optional object until it is added", () => {
    const onValue = vi.fn();
    render(<Harness onValue={onValue} />);
    expect(screen.queryByLabelText("Email")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Add Notify" }));
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "a" } });
    expect(onValue.mock.lastCall?.[0]).not.toHaveProperty("notify");
    fireEvent.change(screen.getByLabelText("Email"), { target: { value: "m@x.org" } });
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ notify: { email: "m@x.org" } }));
  });

  it("sends an optional choice only after it is made, and can remove it", () => {
    const onValue = vi.fn();
    render(<Harness onValue={onValue} />);
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "a" } });
    expect(onValue.mock.lastCall?.[0]).toEqual({ name: "a", limit: 5 });
    fireEvent.click(screen.getByRole("button", { name: "Add Output" }));
    expect(onValue.mock.lastCall?.[0]).toEqual({ name: "a", limit: 5, output: { kind: "table", width: 80 } });
    fireEvent.click(screen.getByRole("radio", { name: "File" }));
    expect(onValue.mock.lastCall?.[0]).toMatchObject({ output: { kind: "file" } });
    fireEvent.click(screen.getByRole("button", { name: /^Remove/ }));
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "b" } });
    expect(onValue.mock.lastCall?.[0]).toEqual({ name: "b", limit: 5 });
  });

  it("adds, moves and removes items of a list", () => {
    const onValue = vi.fn();
    render(<Harness onValue={onValue} start={{ tags: ["a", "b"] }} />);
    expect(screen.getByRole("group", { name: "Tags" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Move item 2 up" }));
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ tags: ["b", "a"] }));
    fireEvent.click(screen.getByRole("button", { name: "Remove item 1" }));
    expect(onValue).toHaveBeenLastCalledWith(expect.objectContaining({ tags: ["a"] }));
  });

  it("shows errors at their fields, linked by aria-describedby", () => {
    render(<Harness onValue={() => {}} errors={[{ path: "name", message: "is required" }]} />);
    const name = screen.getByLabelText("Name");
    expect(name.getAttribute("aria-invalid")).toBe("true");
    expect(name.getAttribute("aria-describedby")).toContain("arg_name-error");
    expect(document.getElementById("arg_name-error")?.textContent).toBe("Is required");
  });
});
