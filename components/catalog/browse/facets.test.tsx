import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FacetGroup } from "./facets";
import type { CatalogView } from "./use-catalog-view";

const values = Array.from({ length: 9 }, (_, index) => ({
  value: `t${index}`,
  label: `Tag ${index}`,
  count: 9 - index,
}));

function show(chosen?: string) {
  const set = vi.fn();
  const view = {
    chosen: chosen === undefined ? {} : { tag: chosen },
    set,
    hrefWith: (key: string, value: string) => `/catalog?${key}=${value}`,
  } as unknown as CatalogView;
  render(<FacetGroup facet="tag" label="Tag" values={values} view={view} />);
  return set;
}

afterEach(cleanup);

describe("FacetGroup", () => {
  it("filters the list by a link", async () => {
    const set = show();
    const link = screen.getByRole("link", { name: /Tag 2/ });
    expect(link.getAttribute("href")).toBe("/catalog?tag=t2");
    await userEvent.click(link);
    expect(set).toHaveBeenCalledWith({ tag: "t2" });
  });

  it("removes the filter when it is chosen again, also by keyboard", async () => {
    const set = show("t1");
    const link = screen.getByRole("link", { name: /Tag 1/, current: true });
    link.focus();
    await userEvent.keyboard("{Enter}");
    expect(set).toHaveBeenCalledWith({ tag: null });
  });

  it("always shows the chosen value, even without matching entries", async () => {
    show("t8");
    expect(screen.getByRole("link", { name: /Tag 8/, current: true })).toBeTruthy();
    expect(screen.queryByRole("link", { name: /Tag 7/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "2 more" }));
    expect(screen.getByRole("link", { name: /Tag 7/ })).toBeTruthy();
    cleanup();
    show("gone");
    expect(screen.getByRole("link", { name: /^gone\s*0\s*entries$/, current: true })).toBeTruthy();
  });
});
