import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { changeDraft, startDraft } from "./args-draft";
import { ArgsPanel } from "./args-panel";

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
  it("never loses JSON that cannot be read yet", async () => {
    render(<Harness />);
    // The form is loaded when it is first shown.
    expect((await screen.findByLabelText<HTMLInputElement>("Name", {}, { timeout: 20_000 })).value).toBe("north");

    fireEvent.click(screen.getByRole("radio", { name: "JSON" }));
    fireEvent.change(screen.getByLabelText("Arguments as JSON"), { target: { value: '{"name": "sou' } });
    expect(screen.getByText(/not valid JSON/)).toBeTruthy();

    fireEvent.click(screen.getByRole("radio", { name: "Form" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Name")).value).toBe("north");
    fireEvent.click(screen.getByRole("button", { name: "Go on with the JSON" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>("Arguments as JSON").value).toBe('{"name": "sou');
  });
});
