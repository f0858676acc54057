import { type ButtonHTMLAttributes, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { Button, type ButtonLook } from "../button/button.tsx";
import styles from "./popover.module.css";

interface PopoverProps {
	/** Label of the button. */
	readonly label: ReactNode;
	/** The button's name, where `label` does not say enough. */
	readonly name?: string;
	readonly look?: ButtonLook;
	readonly small?: boolean;
	readonly icon?: boolean;
	readonly buttonProps?: ButtonHTMLAttributes<HTMLButtonElement> & Readonly<Record<`data-${string}`, string>>;
	/** The panel; it is made when it opens, and may be lazy. `close` closes it and brings the focus back. */
	readonly children: (close: () => void) => ReactNode;
}

const gap = 6;
const narrow = "(width < 40rem)";

/** A button with a panel below it; Escape and a click beside it close it. On phones the panel comes from below. */
export function Popover({
	label,
	name,
	look = "plain",
	small = false,
	icon = false,
	buttonProps,
	children,
}: PopoverProps) {
	const id = useId();
	const button = useRef<HTMLSpanElement>(null);
	const panel = useRef<HTMLDivElement>(null);
	const [open, setOpen] = useState(false);
	// The size of what is in the panel is outside of React, and a lazy panel gets it late.
	useEffect(() => {
		const [shown, anchor] = [panel.current, button.current];
		if (!open || shown === null || anchor === null) return;
		const place = () => {
			if (!matchMedia(narrow).matches) placeBelow(shown, anchor);
		};
		place();
		const observer = new ResizeObserver(place);
		observer.observe(shown);
		return () => observer.disconnect();
	}, [open]);
	return (
		<>
			<span ref={button}>
				<Button
					{...buttonProps}
					look={look}
					small={small}
					icon={icon}
					aria-label={name}
					aria-expanded={open}
					popoverTarget={id}
				>
					{label}
				</Button>
			</span>
			<div
				ref={panel}
				id={id}
				popover="auto"
				className={styles.popover}
				onToggle={(event) => setOpen(event.newState === "open")}
			>
				{open && <Suspense>{children(() => panel.current?.hidePopover())}</Suspense>}
			</div>
		</>
	);
}

function placeBelow(panel: HTMLElement, anchor: HTMLElement): void {
	const from = (anchor.firstElementChild ?? anchor).getBoundingClientRect();
	const { width, height } = panel.getBoundingClientRect();
	// Without the gutter that is kept for the scroll bar.
	const left = Math.max(8, Math.min(from.left, document.body.clientWidth - width - 8));
	const below = from.bottom + gap;
	const top = below + height > innerHeight - 8 ? Math.max(8, from.top - gap - height) : below;
	panel.style.left = `${left}px`;
	panel.style.top = `${top}px`;
}
