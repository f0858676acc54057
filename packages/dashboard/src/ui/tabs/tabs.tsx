import { type KeyboardEvent, useId } from "react";
import styles from "./tabs.module.css";

interface TabsProps<Key extends string> {
	readonly label: string;
	readonly tabs: readonly { readonly key: Key; readonly label: string }[];
	readonly chosen: Key;
	readonly onChoose: (key: Key) => void;
	/** Id of the panel that the tabs change. */
	readonly panel: string;
}

/** Tabs with one stop of the Tab key: the arrows move between them (WAI-ARIA, tabs with automatic activation). */
export function Tabs<Key extends string>({ label, tabs, chosen, onChoose, panel }: TabsProps<Key>) {
	const id = useId();
	const move = (event: KeyboardEvent<HTMLDivElement>) => {
		const at = tabs.findIndex(({ key }) => key === chosen);
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
		const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
		if (next === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		onChoose(next.key);
		document.getElementById(`${id}${next.key}`)?.focus();
	};
	return (
		<div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={move}>
			{tabs.map((tab) => (
				<button
					key={tab.key}
					id={`${id}${tab.key}`}
					type="button"
					role="tab"
					aria-selected={tab.key === chosen}
					aria-controls={panel}
					tabIndex={tab.key === chosen ? 0 : -1}
					className={styles.tab}
					onClick={() => onChoose(tab.key)}
				>
					{tab.label}
				</button>
			))}
		</div>
	);
}
