import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { FormDialog, SelectField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ApiError } from "@/lib/client/api";
import { actionsColumn, type Column, DataTable } from "./data-table";
import { ListSection } from "./list-section";

type Token = { id: string; name: string; scope: string };

const columns: readonly Column<Token>[] = [
  { header: "Name", cell: ({ name }) => name },
  { header: "Scope", numeric: true, className: "max-md:hidden", cell: ({ scope }) => scope },
  actionsColumn(({ name }) => <button type="button">Revoke {name}</button>),
];

const Input = z.strictObject({ name: z.string().trim().min(1, "Enter a name"), scope: z.enum(["read", "run"]) });

let stored: Token[] = [];
let refusal: Error | null = null;
let sent: unknown[] = [];

async function add(body: z.input<typeof Input>): Promise<Token> {
  sent.push(body);
  if (refusal) throw refusal;
  const token = { id: String(stored.length), ...body };
  stored = [...stored, token];
  return token;
}

function Create({ onDone }: { onDone: () => void }) {
  const form = useApiForm({
    values: { name: "", scope: "read" as "read" | "run" },
    schema: async () => Input,
    send: add,
    refresh: [["tokens"]],
    onDone,
  });
  return (
    <FormDialog form={form} title="Create token" action="Create">
      <TextField form={form} name="name" label="Name" required help="What uses it." />
      <SelectField
        form={form}
        name="scope"
        label="Scope"
        options={["read", "run"].map((value) => ({ value, label: value }))}
      />
    </FormDialog>
  );
}

function Tokens() {
  const query = useQuery({ queryKey: ["tokens"], queryFn: async () => ({ items: stored }) });
  return (
    <ListSection
      title="Tokens"
      description="For programs."
      query={query}
      errorTitle="The tokens could not be loaded."
      empty={{ title: "You have no tokens", withCreate: true }}
      create="Create token"
      dialog={(_, close) => <Create onDone={close} />}
    >
      {(tokens) => <DataTable label="Tokens" rows={tokens} rowId={({ id }) => id} columns={columns} />}
    </ListSection>
  );
}

async function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Tokens />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Create token" }));
  return within(await screen.findByRole("dialog", { name: "Create token" }));
}

class Observer {
  observe() {}
  disconnect() {}
}

beforeEach(() => vi.stubGlobal("ResizeObserver", Observer));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  stored = [];
  sent = [];
  refusal = null;
});

describe("a list with a dialog that makes one", () => {
  it("offers the button where the empty list is, and beside the title once there is one", async () => {
    const dialog = await open();
    expect(screen.getByText("You have no tokens")).toBeTruthy();
    fireEvent.change(dialog.getByLabelText("Name"), { target: { value: "laptop" } });
    fireEvent.change(dialog.getByLabelText("Scope"), { target: { value: "run" } });
    fireEvent.click(dialog.getByRole("button", { name: "Create" }));

    const table = await screen.findByRole("table", { name: "Tokens" });
    expect(sent).toEqual([{ name: "laptop", scope: "run" }]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map((cell) => cell.textContent),
    ).toEqual(["Name", "Scope", "Actions"]);
    expect(
      within(table)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["laptop", "run", "Revoke laptop"]);
    expect(screen.getAllByRole("button", { name: "Create token" })).toHaveLength(1);
  });

  it("says at the field what the schema refuses, and sends nothing", async () => {
    const dialog = await open();
    fireEvent.click(dialog.getByRole("button", { name: "Create" }));
    await waitFor(() => expect(dialog.getByText("Enter a name")).toBeTruthy());
    const name = dialog.getByLabelText("Name");
    expect(name.getAttribute("aria-invalid")).toBe("true");
    expect(name.getAttribute("aria-required")).toBe("true");
    const described = (name.getAttribute("aria-describedby") ?? "").split(" ");
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(["Enter a name", "What uses it."]);
    expect(sent).toEqual([]);
  });

  it("puts the server's errors at their fields, and others below them, until the next try", async () => {
    const dialog = await open();
    fireEvent.change(dialog.getByLabelText("Name"), { target: { value: "laptop" } });
    refusal = new ApiError({
      status: 422,
      code: "invalid",
      detail: "The body is not valid.",
      errors: [{ path: "name", message: "This name is taken" }],
    });
    fireEvent.click(dialog.getByRole("button", { name: "Create" }));
    await waitFor(() => expect(dialog.getByText("This name is taken")).toBeTruthy());
    expect(dialog.queryByRole("alert")).toBeNull();

    refusal = new ApiError({ status: 409, code: "conflict", detail: "There are too many tokens." });
    await act(async () => fireEvent.click(dialog.getByRole("button", { name: "Create" })));
    await waitFor(() => expect(dialog.getByRole("alert").textContent).toBe("There are too many tokens."));
    expect(dialog.queryByText("This name is taken")).toBeNull();

    refusal = null;
    fireEvent.click(dialog.getByRole("button", { name: "Create" }));
    expect(await screen.findByRole("table", { name: "Tokens" })).toBeTruthy();
  });
});
