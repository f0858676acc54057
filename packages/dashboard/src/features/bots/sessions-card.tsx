import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago, count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { useSite, valueName } from "../site/index.ts";
import styles from "./bots.module.css";
import { flagWeights } from "./flags.ts";
import { t } from "./texts.ts";

type Session = Answer<"GET /bot-stats/suspicious-sessions">[number];

const columns: readonly Column<Session>[] = [
	{
		key: "agent",
		label: t.agent,
		cell: ({ user_agent: agent }) => (
			<span className={styles.agent} title={agent}>
				{agent === "" ? t.noAgent : agent}
			</span>
		),
	},
	{ key: "score", label: t.score, isNumber: true, cell: (row) => <strong>{row.max_score}</strong> },
	{
		key: "why",
		label: t.why,
		cell: ({ flags }) => (
			<ul className={styles.reasons}>
				{flags.map((flag) => (
					<li key={flag}>
						{t.names[flag]} <span className={styles.weight}>+{flagWeights[flag]}</span>
					</li>
				))}
			</ul>
		),
	},
	{ key: "hits", label: t.hits, isNumber: true, cell: (row) => count(row.hit_count) },
	{ key: "country", label: t.country, cell: (row) => valueName("country", row.country) },
	{ key: "seen", label: t.seen, cell: (row) => ago(row.last_seen) },
];

/** The sessions that were most suspicious, each with what gave it away. */
export function SessionsCard() {
	const { id } = useSite();
	const query = { account_id: id, limit: 10 };
	const sessions = useQuery(read("GET /bot-stats/suspicious-sessions", { query }));
	return (
		<Card
			title={t.sessions}
			label={t.sessions}
			actions={
				<CopyAs
					icon
					about={t.sessions}
					route="GET /bot-stats/suspicious-sessions"
					params={query}
					rows={sessions.data && (() => sessions.data)}
				/>
			}
		>
			<p className={styles.about}>{t.sessionsAbout}</p>
			<Loaded query={sessions} isEmpty={(rows) => rows.length === 0} empty={<p>{t.noSessions}</p>}>
				{(rows) => (
					<DataTable label={t.sessions} columns={columns} rows={rows} rowKey={({ session_id: session }) => session} />
				)}
			</Loaded>
		</Card>
	);
}
