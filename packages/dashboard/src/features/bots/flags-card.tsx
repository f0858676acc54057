import type { Answer } from "../../api/client.ts";
import { count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { CopyAs } from "../copy-as/index.ts";
import styles from "./bots.module.css";
import { flagWeights } from "./flags.ts";
import { t } from "./texts.ts";

type FlagRow = Answer<"GET /bot-stats/overview">["top_flags"][number];

const columns: readonly Column<FlagRow>[] = [
	{
		key: "flag",
		label: t.flag,
		cell: ({ flag, description }) => (
			<span className={styles.wrap} title={description}>
				{t.names[flag]}
			</span>
		),
	},
	{ key: "weight", label: t.weight, isNumber: true, cell: ({ flag }) => `+${flagWeights[flag]}` },
	{ key: "count", label: t.hits, isNumber: true, cell: (row) => count(row.count) },
];

interface FlagsCardProps {
	readonly flags: readonly FlagRow[];
	/** Input of their query. */
	readonly asked: object;
}

/** Bot signals in hits, with the points that each adds to a score. */
export const FlagsCard = ({ flags, asked }: FlagsCardProps) => (
	<Card
		title={t.flags}
		label={t.flags}
		actions={<CopyAs icon about={t.flags} route="GET /bot-stats/overview" params={asked} rows={() => flags} />}
	>
		{flags.length === 0 ? (
			<p className={styles.about}>{t.noFlags}</p>
		) : (
			<DataTable label={t.flags} columns={columns} rows={flags} rowKey={({ flag }) => flag} />
		)}
	</Card>
);
