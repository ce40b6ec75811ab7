import type * as RadixMenu from "radix-ui/dropdown-menu";
import { type ComponentProps, type ComponentType, createContext } from "react";

export type MenuItemProps = ComponentProps<typeof RadixMenu.Item> & {
  tone?: "default" | "danger";
  /** Keys to display; the page must register them. */
  shortcut?: string;
};

export type MenuParts = {
  Item: ComponentType<MenuItemProps>;
  RadioGroup: ComponentType<ComponentProps<typeof RadixMenu.RadioGroup>>;
  RadioItem: ComponentType<ComponentProps<typeof RadixMenu.RadioItem>>;
  Label: ComponentType<ComponentProps<typeof RadixMenu.Label>>;
  Separator: ComponentType<ComponentProps<typeof RadixMenu.Separator>>;
};

/** The parts of a menu, provided by its content because their code is loaded with it. */
export const MenuPartsContext = createContext<MenuParts | null>(null);
