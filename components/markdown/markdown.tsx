import { deferred } from "@/components/ui/deferred/deferred";
import { Skeleton } from "@/components/ui/skeleton";

const placeholder = (
  <div role="status" aria-busy="true" className="flex flex-col gap-3">
    <span className="sr-only">Loading the text</span>
    <Skeleton className="h-6 w-2/5" />
    <Skeleton className="h-4 w-full" />
    <Skeleton className="h-4 w-4/5" />
  </div>
);

/** A rendered playbook, whose code is loaded apart from the page. */
export const Markdown = deferred(async () => (await import("./rendered-markdown")).RenderedMarkdown, placeholder);
