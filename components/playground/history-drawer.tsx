import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { QueryState } from "@/components/state/query-state";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Drawer, DrawerContent } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Conversation } from "@/lib/agent/playground/schema";
import { conversationsKey, conversationsQuery, deleteConversation } from "@/lib/client/playground";

type HistoryDrawerProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  currentId: string | null;
  onChoose: (id: string) => void;
  /** Called when the open conversation was deleted. */
  onGone: () => void;
};

export function HistoryDrawer({ open, onOpenChange, currentId, onChoose, onGone }: HistoryDrawerProps) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange}>
      <DrawerContent title="Conversations" description="Only you can read your conversations here.">
        <ConversationList currentId={currentId} onChoose={onChoose} onGone={onGone} />
      </DrawerContent>
    </Drawer>
  );
}

function ConversationList({ currentId, onChoose, onGone }: Omit<HistoryDrawerProps, "open" | "onOpenChange">) {
  const queries = useQueryClient();
  const query = useInfiniteQuery(conversationsQuery);
  const [deleted, setDeleted] = useState<Conversation | null>(null);
  const remove = async ({ id }: Conversation) => {
    await deleteConversation(id);
    if (id === currentId) onGone();
    await queries.invalidateQueries({ queryKey: conversationsKey });
  };
  return (
    <>
      <QueryState
        query={query}
        errorTitle="The conversations could not be loaded."
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<EmptyState title="No conversations yet" description="Your playground conversations appear here." />}
      >
        {({ pages }) => (
          <>
            <ul className="-mx-2">
              {pages
                .flatMap(({ items }) => items)
                .map((conversation) => (
                  <li key={conversation.id} className="flex items-center gap-1">
                    <button
                      type="button"
                      aria-current={conversation.id === currentId || undefined}
                      onClick={() => onChoose(conversation.id)}
                      className="min-w-0 flex-1 rounded-md px-2 py-1.5 text-left hover:bg-accent aria-[current=true]:bg-selected"
                    >
                      <span className="block truncate text-13" title={conversation.title}>
                        {conversation.title}
                      </span>
                      <span className="block truncate text-muted-foreground text-xs">
                        <RelativeTime value={conversation.updatedAt} /> · {conversation.model}
                        {conversation.skills.map(({ name }) => (name === null ? "" : ` · ${name}`)).join("")}
                      </span>
                    </button>
                    <IconButton
                      label={`Delete “${conversation.title}”`}
                      size="sm"
                      onClick={() => setDeleted(conversation)}
                    >
                      <Trash2 aria-hidden />
                    </IconButton>
                  </li>
                ))}
            </ul>
            <EndOfList query={query} endText="End of list" />
          </>
        )}
      </QueryState>
      <ConfirmDialog
        open={deleted !== null}
        onOpenChange={(isOpen) => !isOpen && setDeleted(null)}
        title={`Delete “${deleted?.title ?? ""}”?`}
        description="The messages are deleted permanently. The trace, the runs and the audit log stay."
        confirmLabel="Delete conversation"
        tone="danger"
        onConfirm={() => (deleted ? remove(deleted) : undefined)}
      />
    </>
  );
}
