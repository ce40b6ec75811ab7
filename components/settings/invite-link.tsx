import { Button } from "@/components/ui/button";
import { DialogClose, DialogContent } from "@/components/ui/dialog";
import { SecretOnce } from "./secret-once";

/** The content of a dialog: the link that lets somebody set their password. */
export function InviteLink({ name, url }: { name: string; url: string }) {
  return (
    <DialogContent
      title={`Invitation for ${name}`}
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce
        secret={url}
        label="Invitation link"
        warning="Copy it now and hand it over yourself. It works once; whoever opens it sets the password."
      />
    </DialogContent>
  );
}
