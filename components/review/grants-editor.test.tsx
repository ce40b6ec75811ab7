import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { meQuery } from "@/lib/client/me";
import { workerAllowancesQuery } from "@/lib/client/workers";
import { WorkerAllowance } from "@/lib/policy/worker-allowance";
import { GrantsEditor } from "./grants-editor";

afterEach(cleanup);

function Editor({ start }: { start: Parameters<typeof GrantsEditor>[0]["value"] }) {
  const [value, setValue] = useState(start);
  return (
    <GrantsEditor
      value={value}
      onChange={setValue}
      hasScripts={false}
      tools={[]}
      slots={[]}
      maxTimeLimitSeconds={300}
    />
  );
}

function show(allows: object, start: Parameters<typeof GrantsEditor>[0]["value"] = {}) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, enabled: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(meQuery.queryKey, { user: { role: "reviewer" } } as never);
  const worker = { id: "w", name: "local", manager: true, online: true, saysAllows: true };
  const items = [{ ...worker, allows: WorkerAllowance.parse(allows) }];
  client.setQueryData(workerAllowancesQuery.queryKey, { items, nextCursor: null });
  client.setQueryData(["credentials", "names"], { items: [], nextCursor: null });
  render(
    <QueryClientProvider client={client}>
      <Editor start={start} />
    </QueryClientProvider>,
  );
}

const field = (name: string) => screen.getByRole<HTMLTextAreaElement>("textbox", { name });

test("grants that no worker allows are disabled, with the variable to set", () => {
  show({});
  for (const name of ["Host paths", "Host namespaces", "Linux capabilities"]) expect(field(name).disabled).toBe(true);
  expect(screen.getByRole<HTMLOptionElement>("option", { name: "Only these hosts" }).disabled).toBe(true);
  expect(field("Environment variables").disabled).toBe(false);
  screen.getByText(/No worker allows any\. .*SKILLGATE_WORKER_PATHS/);
  screen.getByText(/local cannot isolate the network of a run/);
});

test("a value that a worker does not allow names the worker and the variable", async () => {
  show({ paths: ["/srv"], proxy: true });
  expect(screen.getByRole<HTMLOptionElement>("option", { name: "Only these hosts" }).disabled).toBe(false);
  await userEvent.type(field("Host paths"), "ro /etc");
  screen.getByText("The worker local does not allow the path /etc: SKILLGATE_WORKER_PATHS.");
  await userEvent.clear(field("Host paths"));
  await userEvent.type(field("Host paths"), "ro /srv/data");
  expect(screen.queryByText(/does not allow/)).toBeNull();
});

test("a grant that workers no longer allow can be removed", () => {
  show({}, { paths: [{ path: "/srv/data", mode: "ro" }] });
  expect(field("Host paths").disabled).toBe(false);
  screen.getByText("The worker local does not allow the path /srv/data: SKILLGATE_WORKER_PATHS.");
});
