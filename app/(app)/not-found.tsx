import { NotFoundMessage } from "@/components/auth/message-page";
import { MessageArea } from "@/components/shell/message-area";

export default function PageNotFound() {
  return (
    <MessageArea>
      <NotFoundMessage />
    </MessageArea>
  );
}
