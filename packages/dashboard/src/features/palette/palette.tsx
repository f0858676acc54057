import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { find } from "./find.ts";
import styles from "./palette.module.css";
import { t } from "./texts.ts";
import { type Item, useFilterItems, useItems } from "./use-items.ts";

/** Finds sites, screens and periods by their names; the arrows choose, Enter goes there. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	const [query, setQuery] = useState("");
	const [at, setAt] = useState(0);
	// The browser has opened the dialog by now, and gave the focus to what comes first in it.
	useEffect(() => input.current?.focus(), []);
	const named = find(query, useItems());
	const filters = useFilterItems(query);
	// Results that are loaded come last, so that nothing moves when the user is about to press Enter.
	const found = [...named, ...filters.items];
	const chosen = found[Math.min(at, found.length - 1)];
	const go = (item: Item | undefined) => {
		if (item === undefined) return;
		onClose();
		item.run();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (event.key === "Enter") go(chosen);
		else if (step === undefined || found.length === 0) return;
		else {
			const next = (at + step + found.length) % found.length;
			setAt(next);
			document.getElementById(`${id}${found[next]?.id}`)?.scrollIntoView({ block: "nearest" });
		}
		event.preventDefault();
	};
	return (
		<Dialog shape="top" title={t.title} onClose={onClose}>
			<input
				ref={input}
				className={styles.input}
				role="combobox"
				aria-label={t.placeholder}
				aria-expanded="true"
				aria-controls={id}
				aria-autocomplete="list"
				aria-activedescendant={chosen && `${id}${chosen.id}`}
				placeholder={t.placeholder}
				autoComplete="off"
				spellCheck={false}
				value={query}
				onChange={(event) => {
					setQuery(event.target.value);
					setAt(0);
				}}
				onKeyDown={onKeyDown}
			/>
			<div id={id} role="listbox" aria-label={t.title} className={styles.list}>
				{groupsOf(found).map(([group, items]) => (
					// biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options.
					<div key={group} role="group" aria-label={group} className={styles.group}>
						<p aria-hidden="true">{group}</p>
						{items.map((item) => (
							<Option key={item.id} id={`${id}${item.id}`} item={item} isChosen={item === chosen} go={go} />
						))}
					</div>
				))}
			</div>
			<p role="status" className={styles.none}>
				{found.length === 0 && (filters.isAsking ? t.asking : t.none(query))}
			</p>
		</Dialog>
	);
}

interface OptionProps {
	readonly id: string;
	readonly item: Item;
	readonly isChosen: boolean;
	readonly go: (item: Item) => void;
}

/** One thing that was found. The focus stays in the field, so keys are the field's. */
function Option({ id, item, isChosen, go }: OptionProps) {
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
		<div
			id={id}
			role="option"
			tabIndex={-1}
			aria-selected={isChosen}
			className={styles.option}
			onClick={() => go(item)}
		>
			<span>{item.label}</span>
			{item.hint && <span className={styles.hint}>{item.hint}</span>}
		</div>
	);
}

/** Groups in the order of their best item, so that the first option is the best. */
function groupsOf(items: readonly Item[]): readonly (readonly [string, readonly Item[]])[] {
	return [...Map.groupBy(items, ({ group }) => group)];
}
