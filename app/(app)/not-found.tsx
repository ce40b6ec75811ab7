import { NothingHere } from "@/components/auth/nothing-here";
import { MessageArea } from "@/components/shell/message-area";

export default function PageNotFound() {
  return (
    <MessageArea>
      <NothingHere />
    </MessageArea>
  );
}
