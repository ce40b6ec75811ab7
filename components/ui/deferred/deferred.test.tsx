import { act, cleanup, render, screen } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { deferred } from "./deferred";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Hello({ name }: { name: string }) {
  return <p>Hello {name}</p>;
}

test("renders once its code has arrived, and at once from then on", async () => {
  let arrive = (_component: typeof Hello) => {};
  const load = vi.fn(() => new Promise<typeof Hello>((resolve) => (arrive = resolve)));
  const Deferred = deferred(load);
  const { container, unmount } = render(<Deferred name="Mara" />);
  expect(container.textContent).toBe("");
  await act(async () => arrive(Hello));
  expect(container.textContent).toBe("Hello Mara");
  unmount();
  expect(render(<Deferred name="Ben" />).container.textContent).toBe("Hello Ben");
  expect(load).toHaveBeenCalledTimes(1);
});

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <p>This page could not be shown</p> : this.props.children;
  }
}

test("shows the error page when its code cannot be loaded, and tries again the next time", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const load = vi.fn<() => Promise<typeof Hello>>(() => Promise.reject(new Error("no connection")));
  const Deferred = deferred(load);
  const page = (
    <Boundary>
      <Deferred name="Mara" />
    </Boundary>
  );
  const { unmount } = render(page);
  expect(await screen.findByText("This page could not be shown")).toBeTruthy();
  unmount();
  load.mockImplementation(() => Promise.resolve(Hello));
  render(page);
  expect(await screen.findByText("Hello Mara")).toBeTruthy();
});
