import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Field } from "./field";
import { Input } from "./input";

afterEach(cleanup);

test("names its control and describes it by error and help", () => {
  render(
    <Field label="Rows" help="Whole numbers." error="must be at most 1000" required>
      <Input name="rows" />
    </Field>,
  );
  const input = screen.getByLabelText("Rows");
  const described = (input.getAttribute("aria-describedby") ?? "").split(" ");
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    "must be at most 1000",
    "Whole numbers.",
  ]);
  expect(input.getAttribute("aria-invalid")).toBe("true");
  expect(input.getAttribute("name")).toBe("rows");
});
