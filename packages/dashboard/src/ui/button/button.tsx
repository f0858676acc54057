import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "../../lib/classes.ts";
import styles from "./button.module.css";

/** How much a button asks for attention. */
export type ButtonLook = "plain" | "primary" | "quiet" | "danger";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
	readonly look?: ButtonLook;
	readonly small?: boolean;
	/** Shown alone: `aria-label` names it. */
	readonly icon?: boolean;
	readonly ref?: Ref<HTMLButtonElement>;
	readonly children: ReactNode;
}

/** A button; inside a form it sends the form only with `type="submit"`. */
export function Button({ look = "plain", small, icon, className, type = "button", ...rest }: ButtonProps) {
	return <button {...rest} type={type} className={classes(buttonClass(look, small), icon && styles.icon, className)} />;
}

/** The look of a button, for links that act like one. */
export const buttonClass = (look: ButtonLook = "plain", small = false): string =>
	classes(styles.button, look !== "plain" && styles[look], small && styles.small);
