import { BrainCircuit } from "lucide-react";
import Link from "next/link";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** Says what is missing, and who can set it. */
export function NoEndpoint() {
  const isAdmin = useMe()?.user.role === "admin";
  return (
    <EmptyState
      icon={BrainCircuit}
      title="No model endpoint is set"
      description={
        <>
          Here an agent uses your skills while you watch. It needs a language model, and none is set: nothing is sent
          anywhere until {isAdmin ? "you add one" : "an admin adds one under Settings, Models"}.
        </>
      }
      action={
        isAdmin ? (
          <Button asChild variant="primary">
            <Link href="/settings/models">Add a model endpoint</Link>
          </Button>
        ) : null
      }
    />
  );
}
