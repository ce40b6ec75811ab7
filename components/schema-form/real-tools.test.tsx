import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { focusArg } from "@/components/runs/start/args-panel";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { ApiFieldError } from "@/lib/client/api";
import { checkArgs } from "./check-args";
import { asJson, asList, type Json, resolveSchema } from "./resolve-schema";
import SchemaForm from "./schema-form";
import { realTools } from "./testing/real-tools";

const latest: { args: Json } = { args: {} };

function Harness({ schema, errors = [] }: { schema: Json; errors?: readonly ApiFieldError[] }) {
  const [value, setValue] = useState<Json>({});
  return (
    <TooltipProvider>
      <SchemaForm
        schema={schema}
        value={value}
        errors={errors}
        onChange={(next) => {
          latest.args = next;
          setValue(next);
        }}
      />
    </TooltipProvider>
  );
}

beforeEach(() => {
  latest.args = {};
  // jsdom has no layout.
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(cleanup);

/** Presses every Add button once, and those that appear then, so that all fields are on the page. */
async function openEverything(container: HTMLElement): Promise<void> {
  const pressed = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const adds = [...container.querySelectorAll("button")].filter((button) => {
      return /^\s*Add/.test(button.textContent ?? "") && !pressed.has(placeOf(button));
    });
    if (adds.length === 0) return;
    for (const button of adds) {
      pressed.add(placeOf(button));
      if (button.isConnected) await act(async () => fireEvent.click(button));
    }
  }
}

function placeOf(button: HTMLElement): string {
  return `${button.closest("[data-field]")?.getAttribute("data-field")} ${button.textContent}`;
}

const controls = "input, textarea, select, [role=switch], [role=checkbox], [role=radiogroup], [role=group]";

function isSeen(element: Element | null | undefined): boolean {
  return Boolean(element && !element.closest(".sr-only, [hidden], .hidden") && element.textContent?.trim());
}

/** The visible texts that name a control: its labels, or what `aria-labelledby` points to. */
function visibleNames(control: Element): string[] {
  const ids = control.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const labels = [...((control as HTMLInputElement).labels ?? [])];
  const wrapped = control.closest("label");
  const found = [...ids.map((id) => document.getElementById(id)), ...labels, ...(wrapped ? [wrapped] : [])];
  return found.filter(isSeen).map((element) => element?.textContent?.trim() ?? "");
}

/** The descriptions of all fields that the form shows; of a choice those of its first branch. */
function descriptionsOf(schema: Json, root: Json): string[] {
  const node = resolveSchema(schema, root);
  const { properties, items, description } = node;
  const isConstant = node.const !== undefined || asList(node.enum).length === 1;
  if (isConstant) return [];
  const branch = [...asList(node.oneOf), ...asList(node.anyOf)].map(asJson).find((one) => one?.type !== "null");
  const inner = [
    ...Object.values(asJson(properties) ?? {}),
    ...asList(node.allOf),
    ...(asJson(items) && asList(asJson(items)?.enum).length === 0 ? [items] : []),
    ...(branch ? [branch] : []),
  ];
  const own = typeof description === "string" ? [description] : [];
  return [...own, ...inner.flatMap((part) => descriptionsOf(asJson(part) ?? {}, root))];
}

/** Required fields with one possible value. */
function constantKeys(schema: Json, root: Json): string[] {
  const node = resolveSchema(schema, root);
  const names = asList(node.required);
  return Object.entries(asJson(node.properties) ?? {}).flatMap(([key, property]) => {
    const field = asJson(property) ?? {};
    const isConstant = field.const !== undefined || asList(field.enum).length === 1;
    if (isConstant) return names.includes(key) ? [key] : [];
    return constantKeys(field, root);
  });
}

const raw = /^[a-z]+(_[a-z]+)+$|^[a-z]+[A-Z]|^Option \d|argument$/;

describe("forms of 40 tools in use", () => {
  it("has 40 schemas, each with its documentation", () => {
    expect(realTools).toHaveLength(40);
    expect(realTools.filter(({ source }) => !source.startsWith("https://"))).toEqual([]);
  });

  it.each(realTools)("names and describes every field of $name", async ({ schema }) => {
    const { container } = render(<Harness schema={schema} />);
    await openEverything(container);
    const found = [...container.querySelectorAll(controls)].filter((each) => !each.matches("[hidden] *"));
    expect(found.filter((control) => visibleNames(control).length === 0).map((control) => control.outerHTML)).toEqual(
      [],
    );
    const names = [...found, ...container.querySelectorAll("button, option")];
    expect(
      names.flatMap((each) => [...visibleNames(each), each.textContent ?? ""]).filter((name) => raw.test(name)),
    ).toEqual([]);
    const shown = [...container.querySelectorAll("p, span")].filter(isSeen).map((each) => each.textContent ?? "");
    expect(descriptionsOf(schema, schema).filter((text) => !shown.includes(text))).toEqual([]);
    expect(container.textContent).not.toMatch(/cannot show|Unsupported|is always/);
  });

  it.each(realTools.filter(({ schema }) => constantKeys(schema, schema).length > 0))(
    "sends the constants of $name without asking",
    async ({ schema }) => {
      const { container } = render(<Harness schema={schema} />);
      await openEverything(container);
      for (const key of constantKeys(schema, schema)) {
        expect(container.querySelector(`[id$="_${key}"]`)).toBeNull();
        expect(JSON.stringify(latest.args)).toContain(`"${key}":`);
      }
    },
  );

  it.each(realTools)("misses only values in $name when every field is open and empty", async ({ schema }) => {
    const { container } = render(<Harness schema={schema} />);
    await openEverything(container);
    const messages = checkArgs(schema, latest.args).map(({ path, message }) => `${path}: ${message}`);
    expect(messages.filter((message) => !/: (enter a value|add at least one item)$/.test(message))).toEqual([]);
  });

  it.each(realTools)("shows each error of $name once, at a field that takes the focus", ({ schema }) => {
    const { container, rerender } = render(<Harness schema={schema} />);
    const errors = checkArgs(schema, latest.args);
    rerender(<Harness schema={schema} errors={errors} />);
    expect(new Set(errors.map(({ path }) => path)).size).toBe(errors.length);
    const told = [...container.querySelectorAll('[id$="-error"]')].map((each) => each.textContent?.toLowerCase());
    expect(told).toHaveLength(errors.length);
    for (const { path, message } of errors) {
      const id = ["arg", ...path.split(".")].join("_");
      expect(document.getElementById(`${id}-error`)?.textContent?.toLowerCase()).toBe(message.toLowerCase());
      expect(focusArg(path), path).toBe(true);
      const field = document.querySelector(`[data-field="${id}"]`);
      expect(field?.contains(document.activeElement), path).toBe(true);
    }
  });
});
