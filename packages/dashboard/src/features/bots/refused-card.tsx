import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bots.module.css";
import { t } from "./texts.ts";

type Reason = Answer<"GET /sites/{id}/pixel/rejections">["reasons"][number];

/** As far back as refused hits are remembered. */
const minutes = 1_440;

const columns: readonly Column<Reason>[] = [
	{ key: "reason", label: t.reason, cell: ({ reason }) => t.reasons[reason] ?? reason },
	{ key: "count", label: t.hits, isNumber: true, cell: (row) => count(row.count) },
	{
		key: "origins",
		label: t.origins,
		cell: ({ origins }) => (
			<span className={styles.wrap}>
				{origins.map(({ origin, count: hits }) => `${origin} (${count(hits)})`).join(", ") || "–"}
			</span>
		),
	},
];

/** Hits that were not even scored: why, and where they came from. */
export function RefusedCard() {
	const { id } = useSite();
	const input = { path: { id }, query: { minutes } };
	const refused = useQuery(read("GET /sites/{id}/pixel/rejections", input));
	return (
		<Card title={t.refused} label={t.refused}>
			<p className={styles.about}>{t.refusedAbout}</p>
			<Loaded
				query={refused}
				isEmpty={({ rejected, available }) => rejected === 0 || !available}
				empty={<p>{refused.data?.available === false ? t.unavailable : t.noRefused}</p>}
			>
				{({ accepted, rejected, reasons }) => (
					<>
						<p>{t.accepted(count(accepted), rejected, count(rejected))}</p>
						<DataTable
							label={t.refused}
							columns={columns}
							rows={reasons.filter(({ counted }) => !counted)}
							rowKey={({ reason }) => reason}
						/>
					</>
				)}
			</Loaded>
		</Card>
	);
}
