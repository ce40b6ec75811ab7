import { act, cleanup, render, screen } from "@testing-library/react";
import { Component, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
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

test("loads what is shown at first at once, and hydrates what the server rendered before it shows it", async () => {
  const load = vi.fn(() => Promise.resolve(Hello));
  const Deferred = deferred(load, <p>Loading</p>, { early: true });
  expect(load).toHaveBeenCalledTimes(1);
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(<Deferred name="Mara" />);
  expect(container.textContent).toBe("Loading");
  await Deferred.preload();
  render(<Deferred name="Mara" />, { container, hydrate: true });
  expect(container.textContent).toBe("Hello Mara");
});
