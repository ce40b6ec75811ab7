import { NotFoundMessage } from "@/components/auth/message-page";
import { MessageArea } from "@/components/shell/page";

export default function PageNotFound() {
  return (
    <MessageArea>
      <NotFoundMessage />
    </MessageArea>
  );
}
