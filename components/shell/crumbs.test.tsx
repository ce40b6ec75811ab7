import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "@/lib/client/me";
import { CrumbsProvider, PageBreadcrumb, useCrumbs } from "./crumbs";

vi.mock("next/navigation", () => ({ usePathname: () => "/skills/csv" }));

afterEach(cleanup);

function Skill({ name }: { name: string }) {
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: name }]);
  return <PageBreadcrumb />;
}

function page(name: string) {
  const client = new QueryClient();
  client.setQueryData(meQuery.queryKey, { instanceName: "Acme" } as never);
  return (
    <QueryClientProvider client={client}>
      <CrumbsProvider>
        <Skill name={name} />
      </CrumbsProvider>
    </QueryClientProvider>
  );
}

test("the window is titled by the trail and the server's name, also when the framework writes its own title later", async () => {
  const { rerender, unmount } = render(page("CSV summary"));
  await waitFor(() => expect(document.title).toBe("CSV summary · My skills · Acme"));
  document.title = "Skill · Skillgate";
  await waitFor(() => expect(document.title).toBe("CSV summary · My skills · Acme"));
  rerender(page("JSON to table"));
  await waitFor(() => expect(document.title).toBe("JSON to table · My skills · Acme"));
  unmount();
  document.title = "Sign in · Skillgate";
  await Promise.resolve();
  expect(document.title).toBe("Sign in · Skillgate");
});
