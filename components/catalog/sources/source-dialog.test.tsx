import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { SourceDialog } from "./source-dialog";

const sent: unknown[] = [];
const problem = (errors: { path: string; message: string }[]) =>
  HttpResponse.json(
    { type: "about:blank", title: "Invalid", status: 422, code: "invalid", detail: "The input is invalid.", errors },
    { status: 422, headers: { "content-type": "application/problem+json" } },
  );

const server = setupServer(
  http.post("*/api/admin/catalog-sources/preview", async ({ request }) => {
    const { repoUrl } = (await request.json()) as { repoUrl: string };
    if (!repoUrl.includes("github.com"))
      return problem([{ path: "repoUrl", message: "Only github.com can be a source." }]);
    return HttpResponse.json({
      ...{ owner: "acme", repo: "skills", ref: "main", folder: null, repositoryId: "7", isPrivate: false },
      ...{
        commit: "a".repeat(40),
        truncated: true,
        total: 1,
        declares: [".claude-plugin/marketplace.json"],
        requests: 3,
      },
      skills: [{ folder: "skills/pdf", name: "pdf", files: 2, bytes: 300, hasScripts: true }],
      skipped: [{ folder: "vendor/lib", code: "submodule", reason: "It is a submodule." }],
      skippedCount: 1,
    });
  }),
  http.post("*/api/admin/catalog-sources", async ({ request }) => {
    sent.push(await request.json());
    return problem([{ path: "ref", message: "It names no branch." }]);
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
beforeEach(() => {
  sent.length = 0;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <SourceDialog source={null} open onClose={() => {}} onAdded={() => {}} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
});
afterEach(cleanup);

describe("SourceDialog", () => {
  it("previews the skills of a repository and the reasons for skipped folders", async () => {
    await userEvent.type(screen.getByLabelText("Repository or registry"), "https://github.com/acme/skills");
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    const found = await screen.findByRole("list", { name: "Skills found" });
    expect(within(found).getByText("pdf")).toBeTruthy();
    expect(within(found).getByText("scripts")).toBeTruthy();
    expect(screen.getByText("It is a submodule.")).toBeTruthy();
    expect(screen.getByText(/The host cut off/)).toBeTruthy();
    // A changed address clears the preview.
    await userEvent.type(screen.getByLabelText("Folder"), "s");
    expect(screen.queryByText(/The host cut off/)).toBeNull();
    expect(sent).toEqual([]);
  });

  it("offers a kind and a token for other hosts, and a deploy key for ssh", async () => {
    const address = screen.getByLabelText("Repository or registry");
    expect(screen.queryByLabelText(/Token/)).toBeNull();
    await userEvent.type(address, "https://gitlab.com/group/sub/skills");
    await userEvent.type(screen.getByLabelText(/Token/), "glpat-1");
    await userEvent.click(screen.getByRole("button", { name: "Add source" }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          ...{ repoUrl: "https://gitlab.com/group/sub/skills", ref: null, folder: null, label: "sub/skills" },
          ...{ credential: { token: "glpat-1" }, intervalMinutes: 360, enabled: true, sync: true },
        },
      ]),
    );
    await userEvent.clear(address);
    await userEvent.type(address, "git@git.acme.example:group/skills.git");
    expect(screen.getByLabelText(/Deploy key/).tagName).toBe("TEXTAREA");
    expect(screen.queryByLabelText(/User name/)).toBeNull();
  });

  it("shows why a repository cannot be previewed", async () => {
    await userEvent.type(screen.getByLabelText("Repository or registry"), "https://example.org/acme/skills");
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    await screen.findByText("Only github.com can be a source.");
  });

  it("adds a source with the derived label and shows an error at its field", async () => {
    await userEvent.type(screen.getByLabelText("Repository or registry"), "https://github.com/acme/skills");
    await userEvent.type(screen.getByLabelText("Branch, tag or commit"), "no such");
    await userEvent.click(screen.getByRole("button", { name: "Add source" }));
    await screen.findByText("It names no branch.");
    expect(screen.getByLabelText("Branch, tag or commit").getAttribute("aria-invalid")).toBe("true");
    await waitFor(() =>
      expect(sent).toEqual([
        {
          ...{ repoUrl: "https://github.com/acme/skills", ref: "no such", folder: null, label: "acme/skills" },
          ...{ intervalMinutes: 360, enabled: true, sync: true },
        },
      ]),
    );
  });
});
