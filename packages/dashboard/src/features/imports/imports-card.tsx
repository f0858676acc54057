import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { may } from "../../api/may.ts";
import { Card } from "../../ui/card/card.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import { ImportRow } from "./import-row.tsx";
import { type Import, importsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Imports of a site. */
export function ImportsCard() {
	const site = useSite();
	const query = useQuery(importsQuery(site.id));
	useFreshReports(query.data?.imports);
	const mayImport = may("POST /imports", site.role);
	return (
		<Card title={t.list}>
			<Loaded
				query={query}
				isEmpty={({ imports }) => imports.length === 0}
				empty={<p>{mayImport ? t.none : t.noneForReaders}</p>}
			>
				{({ imports }) => (
					<Items label={t.list}>
						{imports.map((one) => (
							<ImportRow key={one.import_id} one={one} />
						))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}

/** When rows have come or gone, no figure is what it was. */
function useFreshReports(imports: readonly Import[] | undefined): void {
	const queries = useQueryClient();
	const state = imports?.filter(({ status }) => status === "completed").map(({ import_id }) => import_id);
	const now = state?.join(" ");
	const before = useRef(now);
	// The answers that are kept are outside of React.
	useEffect(() => {
		if (now !== undefined && before.current !== undefined && now !== before.current) {
			void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "GET /imports" });
		}
		before.current = now;
	}, [now, queries]);
}
