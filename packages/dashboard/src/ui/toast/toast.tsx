import { useSyncExternalStore } from "react";
import styles from "./toast.module.css";

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly action?: { readonly label: string; readonly run: () => void };
}

const staysMs = 6_000;
let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
	toasts = next;
	for (const listener of listeners) listener();
}

/** Tells the reader something for a few seconds, with one thing to do about it at most. */
export function toast(text: string, action?: Toast["action"]): void {
	const id = ++last;
	change([...toasts.slice(-2), { id, text, ...(action && { action }) }]);
	setTimeout(() => change(toasts.filter((one) => one.id !== id)), staysMs);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Where toasts appear; screen readers say them. */
export function Toasts() {
	const shown = useSyncExternalStore(subscribe, () => toasts);
	return (
		<div className={styles.toasts} role="status">
			{shown.map(({ id, text, action }) => (
				<div key={id} className={styles.toast}>
					{text}
					{action && (
						<button
							type="button"
							onClick={() => {
								change(toasts.filter((one) => one.id !== id));
								action.run();
							}}
						>
							{action.label}
						</button>
					)}
				</div>
			))}
		</div>
	);
}
