import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { classes } from "../../lib/classes.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import styles from "./dialog.module.css";

const t = texts({ en: { close: "Close" }, es: { close: "Cerrar" } });

interface DialogProps {
	readonly title: string;
	/**
	 * `drawer` takes the height of the window at its end, `wide` does so for a table; `top` stays where it is while what it holds grows. On phones
	 * the others come from below.
	 */
	readonly shape?: "dialog" | "drawer" | "wide" | "top";
	readonly onClose: () => void;
	readonly children: ReactNode;
}

/** A modal dialog, open as long as it is rendered. */
export function Dialog({ title, shape = "dialog", onClose, children }: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const heading = useId();
	// The browser opens it: focus is kept inside, the rest of the page is inert, Escape closes it. It opens within the
	// rendering, so that no key goes to the page below.
	const before = useRef<Element>(null);
	useLayoutEffect(() => {
		before.current = document.activeElement;
		ref.current?.showModal();
	}, []);
	// An element with `data-first` gets the focus then, which React's `autoFocus` would set before the dialog is visible. If the
	// dialog is unmounted without being closed, as after saving, the focus returns as well.
	useEffect(() => {
		ref.current?.querySelector<HTMLElement>("[data-first]")?.focus();
		return () => {
			if (before.current instanceof HTMLElement && document.activeElement === document.body) before.current.focus();
		};
	}, []);
	return (
		<dialog
			ref={ref}
			aria-labelledby={heading}
			className={classes(styles.dialog, ...looks[shape])}
			onClose={onClose}
			onPointerDown={(event) =>
				event.target === ref.current && outside(event.nativeEvent, ref.current) && ref.current.close()
			}
		>
			<header className={styles.head}>
				<h2 id={heading}>{title}</h2>
				<Button look="quiet" icon aria-label={t.close} onClick={() => ref.current?.close()}>
					<X size={18} aria-hidden="true" />
				</Button>
			</header>
			{children}
		</dialog>
	);
}

const looks = {
	dialog: [],
	drawer: [styles.drawer],
	wide: [styles.drawer, styles.wide],
	top: [styles.top],
} as const;

function outside(event: PointerEvent, dialog: HTMLElement): boolean {
	const box = dialog.getBoundingClientRect();
	return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}
