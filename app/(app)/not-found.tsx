import { NotFoundMessage } from "@/components/auth/error-messages";
import { MessageArea } from "@/components/shell/page";

export default function PageNotFound() {
  return (
    <MessageArea>
      <NotFoundMessage />
    </MessageArea>
  );
}
