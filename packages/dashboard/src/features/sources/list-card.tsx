import type { UseQueryResult } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import styles from "./sources.module.css";
import { t } from "./texts.ts";

/** Texts of a list. */
interface ListWords {
	readonly title: string;
	readonly explained: string;
	readonly before: string;
	readonly after: string;
	readonly add: string;
	readonly none: string;
	readonly noneHint: string;
}

interface ListCardProps<Data, Row> {
	readonly words: ListWords;
	/** The visit of the example. */
	readonly visit: string;
	readonly query: UseQueryResult<Data, Error>;
	readonly rowsOf: (data: Data) => readonly Row[];
	/** Without it nothing may be added. */
	readonly onAdd?: (() => void) | undefined;
	readonly row: (row: Row) => ReactNode;
}

/** A list with what it does to a visit. */
export function ListCard<Data, Row>({ words, visit, query, rowsOf, onAdd, row }: ListCardProps<Data, Row>) {
	const add = onAdd && (
		<AddButton small onClick={onAdd}>
			{words.add}
		</AddButton>
	);
	return (
		<Card title={words.title} actions={add}>
			<p className={styles.hint}>{words.explained}</p>
			<Example words={words} visit={visit} />
			<LoadedItems
				label={words.title}
				query={query}
				of={rowsOf}
				empty={
					<>
						<p>{words.none}</p>
						<p>{words.noneHint}</p>
					</>
				}
			>
				{row}
			</LoadedItems>
		</Card>
	);
}

const Example = ({ words, visit }: Pick<ListCardProps<unknown, unknown>, "words" | "visit">) => (
	<div className={styles.example}>
		<p className={styles.name}>{t.example}</p>
		<p>{visit}</p>
		<dl className={styles.outcomes}>
			<div>
				<dt>{t.without}</dt>
				<dd>{words.before}</dd>
			</div>
			<div>
				<ArrowRight size={16} aria-hidden="true" className={styles.arrow} />
				<dt>{t.with}</dt>
				<dd>{words.after}</dd>
			</div>
		</dl>
	</div>
);
