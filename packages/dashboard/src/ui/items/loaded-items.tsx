import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../loaded/loaded.tsx";
import { Items } from "./items.tsx";

interface LoadedItemsProps<Data, Row> {
	readonly label: string;
	readonly query: UseQueryResult<Data, Error>;
	readonly of: (data: Data) => readonly Row[];
	/** Shown instead of an empty list: the reason and the next step. */
	readonly empty: ReactNode;
	/** Stands below the rows. */
	readonly foot?: (data: Data) => ReactNode;
	readonly children: (row: Row) => ReactNode;
}

/** The records that a query loads. */
export const LoadedItems = <Data, Row>({ label, query, of, empty, foot, children }: LoadedItemsProps<Data, Row>) => (
	<Loaded query={query} isEmpty={(data) => of(data).length === 0} empty={empty}>
		{(data) => (
			<>
				<Items label={label}>{of(data).map(children)}</Items>
				{foot?.(data)}
			</>
		)}
	</Loaded>
);
