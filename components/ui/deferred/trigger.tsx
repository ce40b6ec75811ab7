import * as Slot from "radix-ui/slot";
import { type ComponentProps, type Ref, type RefObject, useImperativeHandle } from "react";
import { useOpenContext } from "./open-state";

export type TriggerProps = ComponentProps<"button"> & { asChild?: boolean };

/** The button of a menu, popover or dialog. Loads its code when the pointer or the focus reaches it. */
export function DeferredTrigger({ asChild = false, opens, ...props }: TriggerProps & { opens: "menu" | "dialog" }) {
  const { open, want, triggerRef, triggerId, contentId } = useOpenContext();
  const Trigger = asChild ? Slot.Root : "button";
  return (
    <Trigger
      {...(asChild ? {} : { type: "button" })}
      id={triggerId}
      aria-haspopup={opens}
      aria-expanded={open}
      aria-controls={open ? contentId : undefined}
      data-state={open ? "open" : "closed"}
      {...props}
      ref={triggerRef as ComponentProps<"button">["ref"]}
      onPointerEnter={want}
      onFocus={want}
    />
  );
}

type StandInProps = { target: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> };

/** Child of a Radix trigger (`asChild`) whose button is elsewhere: Radix anchors and focuses `target`. Renders nothing. */
export function StandIn({ target, ref }: StandInProps) {
  useImperativeHandle(ref, () => target.current as HTMLElement, [target]);
  return null;
}
