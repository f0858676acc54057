import { Plus } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

/** Begins a new record: the main act of a list, at its head. */
export const AddButton = ({ children, ...rest }: Omit<ComponentProps<typeof Button>, "look">) => (
	<Button {...rest} look="primary">
		<Plus size={16} aria-hidden="true" /> {children}
	</Button>
);
